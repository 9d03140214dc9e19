package tokens

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// claudeVersion is the version of Claude Code whose built-in tools are
// modelled. Where a form was in doubt the shorter one was taken: numbers
// before lines as "N<tab>", no reminders.
const claudeVersion = "2.1.197"

// claude is Claude Code's Read, Grep, Glob, Edit, Write and Bash.
type claude struct {
	shell
	seen map[string]string // what each Read answered from, by its arguments
	read map[string]bool   // files that Edit accepts
}

func (c *claude) stop() {}

func (c *claude) call(made call) (string, error) {
	if made.name == "$" {
		return c.bashTool(made.arguments)
	}
	var a claudeArguments
	if err := json.Unmarshal([]byte(made.arguments), &a); err != nil {
		return "", err
	}
	switch made.name {
	case "Read":
		return c.readTool(a)
	case "Grep":
		return c.grepTool(a)
	case "Glob":
		out, _, err := c.bash(`{"command":` + strconv.Quote(fmt.Sprintf("rg --files --hidden --no-ignore --glob '!.git' --iglob '%s' %s | head -100", a.Pattern, a.Path)) + `}`)
		if out = strings.TrimSpace(out); out == "" {
			out = "No files found"
		}
		return out, err
	case "Edit":
		return c.editTool(a)
	case "Write":
		return fmt.Sprintf("File created successfully at: %s (file state is current in your context — no need to Read it back)", a.FilePath), put("/", map[string]string{a.FilePath: a.Content})
	}
	return "", fmt.Errorf("Claude Code has no tool %q", made.name)
}

type claudeArguments struct {
	FilePath   string `json:"file_path"`
	Offset     int
	Limit      int
	Pattern    string
	Path       string
	Glob       string
	Type       string
	OutputMode string `json:"output_mode"`
	HeadLimit  *int   `json:"head_limit"`
	Numbers    *bool  `json:"-n"`
	AnyCase    bool   `json:"-i"`
	Only       bool   `json:"-o"`
	After      int    `json:"-A"`
	Before     int    `json:"-B"`
	Around     int    `json:"-C"`
	Multiline  bool
	OldString  string `json:"old_string"`
	NewString  string `json:"new_string"`
	ReplaceAll bool   `json:"replace_all"`
	Content    string
}

const (
	claudeReadBytes  = 256 << 10 // of a file that is read without limit
	claudeReadLines  = 2000
	claudeLineBytes  = 2000
	claudeReadTokens = 25_000
	claudeGrepLines  = 250
	claudeBashBytes  = 30_000
)

func (c *claude) readTool(a claudeArguments) (string, error) {
	text, err := c.text(a.FilePath)
	if err != nil {
		return "", err
	}
	key := fmt.Sprint(a.FilePath, a.Offset, a.Limit)
	if c.seen[key] == text {
		return "Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.", nil
	}
	if filepath.Ext(a.FilePath) == ".ipynb" {
		c.seen[key], c.read[a.FilePath] = text, true
		return claudeNotebook(text)
	}
	if a.Limit == 0 && len(text) > claudeReadBytes {
		return fmt.Sprintf("File content (%.1fMB) exceeds maximum allowed size (256KB). Use offset and limit parameters to read specific portions of the file, or search for specific content instead of reading the whole file.", float64(len(text))/(1<<20)), nil
	}
	c.seen[key], c.read[a.FilePath] = text, true
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	first := max(a.Offset, 1) - 1
	limit := a.Limit
	if limit == 0 {
		limit = claudeReadLines
	}
	var b strings.Builder
	for i := first; i < min(first+limit, len(lines)); i++ {
		line := lines[i]
		if len(line) > claudeLineBytes {
			line = line[:claudeLineBytes] + "... [truncated]"
		}
		fmt.Fprintf(&b, "%d\t%s\n", i+1, line)
	}
	if n := b.Len() / 3; n > claudeReadTokens {
		return fmt.Sprintf("File content (%d tokens) exceeds maximum allowed tokens (25000). Use offset and limit parameters to read specific portions of the file, or search for specific content instead of reading the whole file.", n), nil
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

func (c *claude) grepTool(a claudeArguments) (string, error) {
	args := []string{"--hidden", "--glob", "!.git", "--max-columns", "500"}
	for flag, set := range map[string]bool{"-i": a.AnyCase, "-o": a.Only, "-U": a.Multiline, "--multiline-dotall": a.Multiline} {
		if set {
			args = append(args, flag)
		}
	}
	switch a.OutputMode {
	case "content":
		if a.Numbers == nil || *a.Numbers {
			args = append(args, "-n")
		}
		for flag, n := range map[string]int{"-A": a.After, "-B": a.Before, "-C": a.Around} {
			if n > 0 {
				args = append(args, flag, strconv.Itoa(n))
			}
		}
	case "count":
		args = append(args, "-c")
	default:
		args = append(args, "-l")
	}
	if a.Glob != "" {
		args = append(args, "--glob", a.Glob)
	}
	if a.Type != "" {
		args = append(args, "--type", a.Type)
	}
	where := a.Path
	if !filepath.IsAbs(where) {
		where = filepath.Join(c.dir, where)
	}
	out, _, err := c.run(c.program("rg"), append(args, "--sort", "path", "-e", a.Pattern, where)...)
	if err != nil {
		return "", err
	}
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(out, c.dir+"/", ""), "\n"), "\n")
	return claudeHits(a, lines), nil
}

func claudeHits(a claudeArguments, lines []string) string {
	if len(lines) == 1 && lines[0] == "" {
		if a.OutputMode == "content" {
			return "No matches found"
		}
		return "No files found"
	}
	all, limit, note := len(lines), claudeGrepLines, ""
	if a.HeadLimit != nil {
		limit = *a.HeadLimit
	}
	if limit > 0 && all > limit {
		lines, note = lines[:limit], fmt.Sprintf("limit: %d", limit)
	}
	body := strings.Join(lines, "\n")
	switch a.OutputMode {
	case "content":
		if note != "" {
			return body + "\n\n[Showing results with pagination = " + note + "]"
		}
		return body
	case "count":
		sum := 0
		for _, line := range lines {
			n, _ := strconv.Atoi(line[strings.LastIndexByte(line, ':')+1:])
			sum += n
		}
		return fmt.Sprintf("%s\n\nFound %d total occurrences across %d files.", body, sum, all)
	}
	files := "files"
	if len(lines) == 1 {
		files = "file"
	}
	if note != "" {
		note = " " + note
	}
	return fmt.Sprintf("Found %d %s%s\n%s", len(lines), files, note, body)
}

func (c *claude) editTool(a claudeArguments) (string, error) {
	if !c.read[a.FilePath] {
		return "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>", nil
	}
	text, err := c.text(a.FilePath)
	if err != nil {
		return "", err
	}
	crlf := strings.Contains(text, "\r\n")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	switch n := strings.Count(text, a.OldString); {
	case n == 0:
		return "<tool_use_error>String to replace not found in file.</tool_use_error>", nil
	case n > 1 && !a.ReplaceAll:
		return fmt.Sprintf("<tool_use_error>Found %d matches of the string to replace, but replace_all is false.</tool_use_error>", n), nil
	}
	text = strings.ReplaceAll(text, a.OldString, a.NewString)
	if crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if err := os.WriteFile(a.FilePath, []byte(text), 0o644); err != nil {
		return "", err
	}
	said := "has been updated successfully."
	if a.ReplaceAll {
		said = "has been updated. All occurrences were successfully replaced."
	}
	return fmt.Sprintf("The file %s %s (file state is current in your context — no need to Read it back)", a.FilePath, said), nil
}

func (c *claude) bashTool(arguments string) (string, error) {
	out, code, err := c.bash(arguments)
	out = strings.TrimRight(out, " \n")
	if len(out) > claudeBashBytes {
		out = fmt.Sprintf("%s\n\n... [%d characters truncated] ...\n\n%s", out[:claudeBashBytes/2], len(out)-claudeBashBytes, out[len(out)-claudeBashBytes/2:])
	}
	if out == "" {
		out = "(Bash completed with no output)"
	}
	if code != 0 {
		out = fmt.Sprintf("Exit code %d\n%s", code, out)
	}
	return out, err
}

// joined is a text of a notebook, which has it whole or by lines.
type joined string

func (j *joined) UnmarshalJSON(b []byte) error {
	var lines []string
	if json.Unmarshal(b, &lines) == nil {
		*j = joined(strings.Join(lines, ""))
		return nil
	}
	return json.Unmarshal(b, (*string)(j))
}

func claudeNotebook(text string) (string, error) {
	var book struct {
		Cells []struct {
			Type    string `json:"cell_type"`
			Source  joined
			Outputs []struct {
				Text joined
				Data map[string]json.RawMessage
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &book); err != nil {
		return "", err
	}
	var parts []string
	for i, cell := range book.Cells {
		kind := ""
		if cell.Type != "code" {
			kind = "<cell_type>" + cell.Type + "</cell_type>"
		}
		parts = append(parts, fmt.Sprintf(`<cell id="cell-%d">%s%s</cell id="cell-%d">`, i, kind, cell.Source, i))
		for _, o := range cell.Outputs {
			said := o.Text
			if plain, ok := o.Data["text/plain"]; ok && said == "" {
				if err := json.Unmarshal(plain, &said); err != nil {
					return "", err
				}
			}
			if _, ok := o.Data["image/png"]; ok {
				said += "[image]"
			}
			parts = append(parts, string(said))
		}
	}
	return strings.Join(parts, "\n"), nil
}
