package syntax

var langXML = &Language{
	holdsText: true,
	Name:      "xml", Aliases: []string{"xsl", "svg"},
	Extensions: []string{"xml", "xsd", "xsl", "xslt", "plist", "svg", "csproj", "props", "targets", "fxml", "wsdl", "resx", "xaml"},
	Comments:   tagComments,
	rules: Rules{
		"document": {}, "content": {},
		"element": {Kind: Object, Name: "<STag,EmptyElemTag>/<Name>", Body: "<content>", Read: readXML},
	},
}

// readXML names an element by what tells it from others of its sort; one that
// has no such attribute is no definition.
func readXML(node []byte, kind Kind, tag string) (Kind, string) {
	start := startTag(node)
	attributes := start[min(len(start), 1+len(tag)):]
	for _, name := range []string{"id", "name", "xml:id", "x:Name", "x:Key", "key"} {
		if value := attributeOf(attributes, name); value != "" {
			return kind, cutName(tag + "#" + value)
		}
	}
	return NoKind, ""
}
