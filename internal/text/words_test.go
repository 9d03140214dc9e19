package text

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"parseUser": "parse user", "HTTPServer": "http server", "snake_case_2": "snake case 2", "x": "x", "ABC": "abc",
		"getURLFor": "get url for", "v2Beta": "v2 beta", "größeÄndern": "größe ändern", "__init__": "init", "": "", "\xff\xfea": "a",
	} {
		if got := strings.Join(Words(name), " "); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

func TestShortens(t *testing.T) {
	for _, tt := range []struct {
		name, short string
		want        bool
	}{
		{"UserService", "usrserv", true}, {"UserService", "us", true}, {"user_service", "srvc", true}, {"userHTTPService", "uhs", true},
		{"UserService", "usrsrvx", false}, {"UserService", "serv", true}, {"UserService", "ser", true}, {"userGroupService", "userv", false},
		{"REPL_DISKLESS_LOAD_WHEN_DB_EMPTY", "redisdb", false}, {"reset_distance", "redis", true}, {"predisposed", "redis", false},
		{"a", "", false}, {"", "a", false}, {"größe", "gröe", true},
	} {
		if got := Shortens(tt.name, tt.short); got != tt.want {
			t.Errorf("%q shortens %s: %t", tt.short, tt.name, got)
		}
	}
}
