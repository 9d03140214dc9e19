package tokens

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// makeWorkspaces makes the folders that tasks name, below dir: k8s
// (Kubernetes, without its staging modules), xtools (golang.org/x/tools), c
// (tree-sitter's runtime), from the Go modules of the folder sources; ts (the
// sources of effect) and py (gyp, of node-gyp, in a git repository), from
// node_modules; data, generated.
func makeWorkspaces(dir, sources, modules string) error {
	for name, make := range map[string]func(to string) error{
		"ts": func(to string) error {
			return copyTree(filepath.Join(to, "src"), filepath.Join(modules, "effect", "src"))
		},
		"py":   func(to string) error { return makePy(to, filepath.Join(modules, "node-gyp", "gyp")) },
		"data": makeData,
	} {
		if err := make(filepath.Join(dir, name)); err != nil {
			return fmt.Errorf("workspace %s: %w", name, err)
		}
	}
	return copyModules(dir, sources, map[string]string{
		"k8s.io/kubernetes": "k8s", "golang.org/x/tools": "xtools", "github.com/smacker/go-tree-sitter": "c",
	})
}

// copyModules copies modules that a go.mod requires; of the one in C its
// top folder's C alone.
func copyModules(dir, sources string, names map[string]string) error {
	list := exec.Command("go", "mod", "download", "-json")
	list.Dir = sources
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", list, err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var module struct{ Path, Dir string }
		if err := d.Decode(&module); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		to, wanted := names[module.Path]
		if !wanted {
			continue
		}
		copy := copyTree
		if to == "c" {
			copy = copyC
		}
		if err := copy(filepath.Join(dir, to), module.Dir); err != nil {
			return err
		}
	}
}

// copyTree copies the files below from, writable.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		return copyFile(filepath.Join(to, rel), path)
	})
}

func copyFile(to, from string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}

func copyC(to, from string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(from, "*.[ch]"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := copyFile(filepath.Join(to, filepath.Base(f)), f); err != nil {
			return err
		}
	}
	return nil
}

func makePy(to, from string) error {
	if err := copyTree(to, from); err != nil {
		return err
	}
	commit := exec.Command("sh", "-c", "rm -f .gitignore && git init -q . && git add -A && git -c user.name=bench -c user.email=bench@example.com commit -qm base")
	commit.Dir = to
	if out, err := commit.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", commit, err, out)
	}
	return nil
}

// makeData generates what people have beside code; always the same.
func makeData(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, make := range map[string]func(*bytes.Buffer, *rand.Rand){
		"orders.csv": makeOrders, "app.log": makeLog, "test-output.txt": makeTestOutput, "bundle.min.js": makeBundle,
		"catalog.json": makeCatalog, "values.yaml": makeValues, "analysis.ipynb": makeNotebook, "invoice.py": makeInvoice,
	} {
		var b bytes.Buffer
		make(&b, rand.New(rand.NewPCG(7, uint64(len(name)))))
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// makeOrders makes a table of 200,000 rows.
func makeOrders(b *bytes.Buffer, r *rand.Rand) {
	b.WriteString("order_id,customer_id,date,item,quantity,price,city,note\n")
	for i := range 200_000 {
		fmt.Fprintf(b, "%d,C%05d,2026-%02d-%02d,item%d,%d,%.2f,City%d,%s\n", 100_000+i, r.IntN(100_000), i%12+1, i%28+1, r.IntN(500), r.IntN(9)+1, r.Float64()*99, i%70, strings.Repeat("x", r.IntN(30)))
	}
}

// makeLog makes a log of 60,000 lines; nine are errors, of three kinds.
func makeLog(b *bytes.Buffer, r *rand.Rand) {
	errors := map[int]string{
		4_211: "payment gateway timeout after 30s order=100412", 17_040: "payment gateway timeout after 30s order=118733",
		17_041: "retry queue full, dropping job job=a81f", 31_500: "payment gateway timeout after 30s order=140021",
		44_002: "inventory row locked sku=item77 holder=txn-9921", 44_003: "inventory row locked sku=item77 holder=txn-9921",
		51_877: "payment gateway timeout after 30s order=171004", 59_100: "retry queue full, dropping job job=c03d",
		59_964: "inventory row locked sku=item12 holder=txn-12807",
	}
	for i := range 60_000 {
		level, message := "INFO", fmt.Sprintf("request id=%08x path=/api/v2/orders/%d status=200 took=%dms", r.Uint32(), 100_000+r.IntN(200_000), r.IntN(400))
		if i%997 == 0 {
			level, message = "WARN", fmt.Sprintf("slow query took=%dms table=orders", 1000+r.IntN(3000))
		}
		if m, ok := errors[i]; ok {
			level, message = "ERROR", m
		}
		fmt.Fprintf(b, "2026-03-%02dT%02d:%02d:%02d.%03dZ %-5s worker-%d %s\n", i/10_000+1, i/417%24, i/7%60, i%60, r.IntN(1000), level, r.IntN(8), message)
	}
}

// makeTestOutput makes what "go test -v" says of 16,500 tests; two fail.
func makeTestOutput(b *bytes.Buffer, r *rand.Rand) {
	for n := range 500 {
		for k := range 33 {
			name := fmt.Sprintf("Test%s%d_%d", []string{"Queue", "Auth", "Store", "Cache"}[n%4], n, k)
			fmt.Fprintf(b, "=== RUN   %s\n", name)
			switch {
			case n == 137 && k == 23:
				fmt.Fprintf(b, "    auth_test.go:88: charset not supported: \"utf-7\"; want nil\n--- FAIL: %s (0.02s)\n", name)
			case n == 202 && k == 7:
				fmt.Fprintf(b, "    store_test.go:41: token life: got 3599s, want 3600s\n--- FAIL: %s (0.01s)\n", name)
			default:
				fmt.Fprintf(b, "    helper.go:12: %d ok\n--- PASS: %s (0.00s)\n", r.IntN(1_000_000), name)
			}
		}
	}
	b.WriteString("FAIL\nexit status 1\nFAIL\texample.com/shop\t41.207s\n")
}

// makeBundle makes a minified script, one line of about 400 KB.
func makeBundle(b *bytes.Buffer, r *rand.Rand) {
	name := func() string { return string(rune('a'+r.IntN(26))) + string(rune('a'+r.IntN(26))) }
	b.WriteString("!function(){\"use strict\";")
	for i := range 4_000 {
		if i == 2_345 {
			b.WriteString("function computeShippingFee(e,t){var n=e.weight*.75;return\"express\"===t&&(n=2*n+4.99),Math.round(100*n)/100}")
		}
		x, y := name(), name()
		fmt.Fprintf(b, "function f%d(%s,%s){var n=%d;return %s&&%s?n+%s.length:f%d(n,%q)}", i, x, y, r.IntN(9999), x, y, x, r.IntN(i+1), name())
	}
	b.WriteString("}();")
}

// makeCatalog makes 4,000 services as JSON in one line.
func makeCatalog(b *bytes.Buffer, r *rand.Rand) {
	b.WriteString(`{"version":3,"services":{`)
	for i := range 4_000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, `"svc-%04d":{"owner":"team-%d","replicas":%d,"ports":[{"name":"http","port":%d},{"name":"metrics","port":%d}],"limits":{"cpu":"%dm","memory":"%dMi"},"env":{"REGION":"eu-%d","LOG":"info"}}`,
			i, r.IntN(40), r.IntN(9)+1, 8000+r.IntN(900), 9000+r.IntN(900), 100*(r.IntN(9)+1), 64*(r.IntN(9)+1), r.IntN(4))
	}
	b.WriteString(`}}`)
}

// makeValues makes settings of 400 components as YAML.
func makeValues(b *bytes.Buffer, r *rand.Rand) {
	b.WriteString("# Values of all components.\ncomponents:\n")
	for i := range 400 {
		fmt.Fprintf(b, "  part%03d:\n    image:\n      repository: registry.example.com/part%03d\n      tag: \"1.%d.%d\"\n    replicas: %d\n    resources:\n      limits:\n        cpu: %dm\n        memory: %dMi\n    enabled: %t\n",
			i, i, r.IntN(30), r.IntN(30), r.IntN(6)+1, 100*(r.IntN(9)+1), 64*(r.IntN(9)+1), r.IntN(2) == 0)
	}
}

// makeNotebook makes a notebook of 24 cells, whose outputs are mostly large
// and say little; one is an error.
func makeNotebook(b *bytes.Buffer, r *rand.Rand) {
	cells := make([]any, 0, 24)
	for i := range 24 {
		source := []string{fmt.Sprintf("# step %d\n", i), fmt.Sprintf("df%d = load(%q)\n", i, fmt.Sprintf("part%d.parquet", i)), fmt.Sprintf("df%d.describe()", i)}
		outputs := []any{map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": map[string]any{
			"text/plain": []string{"<Figure size 640x480 with 1 Axes>"},
			"image/png":  randomBase64(r, 4_000),
		}}}
		if i == 17 {
			source = []string{"totals = merge(df3, df9, on=\"order_id\")\n", "totals.head()"}
			outputs = []any{map[string]any{"output_type": "error", "ename": "KeyError", "evalue": "'order_id'", "traceback": []string{
				"---------------------------------------------------------------------------", "KeyError                                  Traceback (most recent call last)",
				"Cell In[18], line 1\n----> 1 totals = merge(df3, df9, on=\"order_id\")\n      2 totals.head()", "KeyError: 'order_id'"}}}
		}
		cells = append(cells, map[string]any{"cell_type": "code", "execution_count": i + 1, "id": fmt.Sprintf("c%d", i), "metadata": map[string]any{}, "source": source, "outputs": outputs})
	}
	e := json.NewEncoder(b)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	if err := e.Encode(map[string]any{"cells": cells, "metadata": map[string]any{"language_info": map[string]any{"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}); err != nil {
		panic(err) // made of maps and texts
	}
}

// randomBase64 returns the beginning of a picture, as far as base64 goes.
func randomBase64(r *rand.Rand, n int) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	b := []byte("iVBORw0KGgoAAAANSUhEUgAA")
	for len(b) < n {
		b = append(b, digits[r.IntN(len(digits))])
	}
	return string(b)
}

// makeInvoice makes a Python file of 287 lines that end with CR LF.
func makeInvoice(b *bytes.Buffer, r *rand.Rand) {
	b.WriteString("from decimal import Decimal\r\n\r\n\r\nclass Invoice:\r\n    def __init__(self, lines):\r\n        self.lines = lines\r\n\r\n")
	for i := range 55 {
		fmt.Fprintf(b, "    def field_%d(self):\r\n        \"\"\"Returns field %d.\"\"\"\r\n        value = self.lines[%d]\r\n        return value * %d\r\n\r\n", i, i, i, r.IntN(90)+2)
		if i == 30 {
			b.WriteString("    def total(self):\r\n        \"\"\"Returns the sum of all lines, without tax.\"\"\"\r\n        amount = sum(line.price for line in self.lines)\r\n        return round(amount, 1)\r\n\r\n")
		}
	}
}
