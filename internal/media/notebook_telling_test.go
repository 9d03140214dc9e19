package media

import (
	"reflect"
	"strings"
	"testing"
)

// TestOutputsThatSayNothing are not shown.
func TestOutputsThatSayNothing(t *testing.T) {
	cell := func(outputs string) string {
		return notebookOf(`{"cell_type": "code", "execution_count": 1, "source": "x", "outputs": [` + outputs + `]}`)
	}
	const head, out = "--- cell 1\nx\n", "--- Out\n"
	for _, tt := range []struct{ output, want string }{
		{`{"output_type": "execute_result", "data": {"text/plain": "<Axes: xlabel='n'>"}}`, ""},
		{`{"output_type": "execute_result", "data": {"text/plain": ["[<matplotlib.lines.Line2D at 0x7f3c10>,\n", " <matplotlib.lines.Line2D at 0x7f3c20>]"]}}`, ""},
		{`{"output_type": "display_data", "data": {"text/plain": "<Figure size 640x480 with 1 Axes>", "image/svg+xml": "<svg/>"}}`, ""},
		{`{"output_type": "execute_result", "data": {"text/plain": "a  b\n1  2", "text/html": "<table></table>"}}`, out + "a  b\n1  2\n"},
		{`{"output_type": "display_data", "data": {"text/html": "<b>x</b>"}}`, ""},
		{`{"output_type": "display_data", "data": {"text/plain": "x < y", "application/vnd.jupyter.widget-view+json": {"model_id": "1"}}}`, out + "x < y\n"},
		{`{"output_type": "stream", "name": "stderr", "text": "  0%\r 50%\r100%\ndone\r\n"}`, "--- Out stderr\n100%\ndone\n"},
		{`{"output_type": "execute_result", "data": {"text/plain": "<b> at home"}}`, out + "<b> at home\n"},
	} {
		if got := viewOf(t, cell(tt.output)).Text; got != head+tt.want {
			t.Errorf("%s:\n%q, want\n%q", tt.output, got, head+tt.want)
		}
	}
}

// TestWhatIsNotShownIsTold for the cells that are shown, by type.
func TestWhatIsNotShownIsTold(t *testing.T) {
	cell := func(kinds ...string) string {
		outputs := make([]string, len(kinds))
		for i, kind := range kinds {
			outputs[i] = `{"output_type": "display_data", "data": {"` + kind + `": "x"}}`
		}
		return `{"cell_type": "code", "source": "x", "outputs": [` + strings.Join(outputs, ",") + `]}`
	}
	raw := notebookOf(cell("image/png", "image/png"), cell(), cell("text/html", "image/png"), cell("image/svg+xml"))
	for _, tt := range []struct {
		maxBytes int
		want     []Unshown
	}{
		{1 << 10, []Unshown{{"image/png", []int{1, 3}}, {"text/html", []int{3}}, {"image/svg+xml", []int{4}}}},
		{3 * len("--- cell 1 In [ ]\nx\n"), []Unshown{{"image/png", []int{1, 3}}, {"text/html", []int{3}}}},
		{len("--- cell 1 In [ ]\nx\n"), []Unshown{{"image/png", []int{1}}}},
		{3, []Unshown{{"image/png", []int{1}}}},
	} {
		n, err := ParseNotebook([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if got := NewSemaphore().View(t.Context(), n, tt.maxBytes, 100).Unshown; !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%d bytes: %v, want %v", tt.maxBytes, got, tt.want)
		}
	}
}
