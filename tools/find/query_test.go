package find

import "testing"

func TestBeginWords(t *testing.T) {
	for _, c := range []struct {
		name, letters string
		want          bool
	}{
		{"getUserName", "gun", true}, {"getUserName", "usna", true}, {"getUserName", "gn", true}, {"getUserName", "gx", false},
		{"REPL_DISKLESS_LOAD_WHEN_DB_EMPTY", "redisdb", false}, {"REPL_DISKLESS_LOAD_WHEN_DB_EMPTY", "rdlwde", true},
		{"read_distant_block_db", "redisdb", true}, {"userGroupUnit", "ugu", true}, {"getUserNameOfTheGroup", "gu", true},
	} {
		if got := beginWords(c.name, c.letters); got != c.want {
			t.Errorf("%q begins words of %s: %t", c.letters, c.name, got)
		}
	}
}
