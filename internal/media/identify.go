package media

import "strings"

// Class is what can be done with a file.
type Class uint8

// The classes.
const (
	// Unknown formats may be text.
	Unknown Class = iota
	// AnImage is one that [Semaphore.Image] takes.
	AnImage
	// ADocument is a PDF.
	ADocument
	// ABinary is known by name alone.
	ABinary
)

// Kind is a file format.
type Kind struct {
	Class    Class
	MIMEType string // of images and documents
	// Name is what a person calls it, with its article: "a zip archive".
	Name string
	// Advice is what to do about it, a sentence; may be empty.
	Advice string
}

// HeadBytes is how much of a file [Identify] wants to see, in bytes; it is
// content with less.
const HeadBytes = 1 << 10

// Identify tells the format of a file by its first bytes. binary tells that
// the file holds no text for sure: some formats begin like words, and are only
// believed then.
func Identify(head string, binary bool) Kind {
	for _, s := range signatures {
		if (binary || !s.onlyBinary) && s.matches(head) {
			return s.Kind
		}
	}
	return Kind{}
}

func (s signature) matches(head string) bool {
	return hasAt(head, s.at, s.magic) && hasAt(head, s.thenAt, s.then)
}

func hasAt(head string, at int, magic string) bool {
	return len(head) >= at && strings.HasPrefix(head[at:], magic)
}

// signature is how a format begins: with magic at a byte, and with then at
// another where that is not enough.
type signature struct {
	magic      string
	at         int
	then       string
	thenAt     int
	onlyBinary bool
	Kind
}

const (
	listZip    = "List it with `unzip -l`, read one entry with `unzip -p`."
	listTar    = "List it with `tar -tf`, read one entry with `tar -xOf`."
	unpackText = " Convert it to text and read that, for example with pandoc or `soffice --headless --convert-to txt`."
	objects    = "Look into it with `file`, `nm` or `objdump -d`; read the source that it is made from."
	listen     = "Ask its data with `ffprobe`."
	toPNG      = "Convert it to png and read that, for example with ImageMagick."
	fontTools  = "Look into it with `fc-scan` or `ttx`."
	tables     = "Look into it with `file`, and a program of its own."
)

// signatures are read from the top: the first that matches wins.
var signatures = []signature{
	{magic: "\x89PNG\r\n\x1a\n", Kind: Kind{AnImage, "image/png", "a PNG image", ""}},
	{magic: "\xff\xd8\xff", Kind: Kind{AnImage, "image/jpeg", "a JPEG image", ""}},
	{magic: "GIF87a", Kind: Kind{AnImage, "image/gif", "a GIF image", ""}},
	{magic: "GIF89a", Kind: Kind{AnImage, "image/gif", "a GIF image", ""}},
	{magic: "RIFF", then: "WEBP", thenAt: 8, Kind: Kind{AnImage, "image/webp", "a WebP image", ""}},
	{magic: "BM", then: "\x00\x00\x00\x00", thenAt: 6, onlyBinary: true, Kind: Kind{AnImage, "image/bmp", "a BMP image", toPNG}},
	{magic: "II*\x00", onlyBinary: true, Kind: Kind{AnImage, "image/tiff", "a TIFF image", toPNG}},
	{magic: "MM\x00*", onlyBinary: true, Kind: Kind{AnImage, "image/tiff", "a TIFF image", toPNG}},
	{magic: "%PDF-", Kind: Kind{ADocument, "application/pdf", "a PDF document", ""}},

	opaque("\x00\x00\x01\x00", 0, "an icon (ICO)", toPNG),
	opaque("ftypheic", 4, "a HEIC image", toPNG),
	opaque("ftypheix", 4, "a HEIC image", toPNG),
	opaque("ftypmif1", 4, "a HEIF image", toPNG),
	opaque("ftypavif", 4, "an AVIF image", toPNG),
	opaque("\x00\x00\x00\x0cjP  ", 0, "a JPEG 2000 image", toPNG),
	opaque("8BPS", 0, "a Photoshop image", toPNG),
	opaque("\x76\x2f\x31\x01", 0, "an OpenEXR image", toPNG),
	opaque("qoif", 0, "a QOI image", toPNG),
	opaque("DDS ", 0, "a DDS texture", toPNG),

	opaque("PK\x03\x04", 0, zipName, listZip),
	opaque("PK\x05\x06", 0, zipName, listZip),
	opaque("PK\x07\x08", 0, zipName, listZip),
	opaque("ustar", 257, "a tar archive", listTar),
	opaque("\x1f\x8b", 0, "gzip-compressed data", "Read it with `gzip -dc`; if it is a .tar.gz, list it with `tar -tzf`."),
	opaque("BZh", 0, "bzip2-compressed data", "Read it with `bzip2 -dc`; if it is a .tar.bz2, list it with `tar -tjf`."),
	opaque("\xfd7zXZ\x00", 0, "xz-compressed data", "Read it with `xz -dc`; if it is a .tar.xz, list it with `tar -tJf`."),
	opaque("\x28\xb5\x2f\xfd", 0, "zstd-compressed data", "Read it with `zstd -dc`; if it is a .tar.zst, list it with `tar --zstd -tf`."),
	opaque("\x04\x22\x4d\x18", 0, "lz4-compressed data", "Read it with `lz4 -dc`."),
	opaque("\x1f\x9d", 0, "compress-ed data (.Z)", "Read it with `zcat`."),
	opaque("7z\xbc\xaf\x27\x1c", 0, "a 7z archive", "List it with `7z l`."),
	opaque("Rar!\x1a\x07", 0, "a RAR archive", "List it with `unrar l` or `7z l`."),
	opaque("MSCF\x00", 0, "a cabinet archive (CAB)", "List it with `7z l`."),
	opaque("!<arch>\ndebian", 0, "a Debian package", "List it with `dpkg -c`."),
	opaque("!<arch>\n", 0, "a library archive (ar)", "List it with `ar t`, its symbols with `nm`."),
	opaque("\xed\xab\xee\xdb", 0, "an RPM package", "List it with `rpm -qpl`."),
	opaque("070701", 0, "a cpio archive", "List it with `cpio -t`."),

	opaque("\x7fELF", 0, "an executable or library (ELF)", objects),
	{magic: "MZ", onlyBinary: true, Kind: Kind{ABinary, "", "a Windows executable or library (PE)", objects}},
	opaque("\xfe\xed\xfa\xce", 0, "an executable or library (Mach-O)", objects),
	opaque("\xfe\xed\xfa\xcf", 0, "an executable or library (Mach-O)", objects),
	opaque("\xce\xfa\xed\xfe", 0, "an executable or library (Mach-O)", objects),
	opaque("\xcf\xfa\xed\xfe", 0, "an executable or library (Mach-O)", objects),
	opaque("\xca\xfe\xba\xbe\x00\x00\x00\x01", 0, "an executable or library (Mach-O, universal)", objects),
	opaque("\xca\xfe\xba\xbe\x00\x00\x00\x02", 0, "an executable or library (Mach-O, universal)", objects),
	opaque("\xca\xfe\xba\xbe", 0, "a Java class file", "Look into it with `javap -c`; read the source that it is made from."),
	opaque("\x00asm", 0, "a WebAssembly module", "Look into it with `wasm-objdump -x` or `wasm2wat`."),
	opaque("BC\xc0\xde", 0, "LLVM bitcode", "Look into it with `llvm-dis`."),
	opaque("dex\n", 0, "Android bytecode (DEX)", "Look into it with `dexdump`."),
	{magic: "\r\n", at: 2, then: "\x00\x00\x00", thenAt: 5, onlyBinary: true, Kind: Kind{ABinary, "", "Python bytecode", "Read the .py file that it is made from."}},

	opaque("SQLite format 3\x00", 0, "an SQLite database", "Ask it with `sqlite3 -readonly FILE .schema`."),
	opaque("PAR1", 0, "a Parquet table", "Look into it with duckdb or pyarrow."),
	opaque("ARROW1", 0, "an Arrow table", "Look into it with pyarrow."),
	opaque("Obj\x01", 0, "an Avro file", tables),
	opaque("\x89HDF\r\n\x1a\n", 0, "an HDF5 file", "List it with `h5ls -r`."),
	opaque("\x93NUMPY", 0, "a NumPy array", "Look into it with numpy.load."),
	opaque("GGUF", 0, "a model's weights (GGUF)", tables),
	opaque("bplist00", 0, "a binary property list", "Read it with `plutil -p` or `plistutil -p`."),
	opaque("\xde\x12\x04\x95", 0, "a message catalogue (gettext .mo)", "Read it with `msgunfmt`."),
	opaque("DIRC\x00\x00\x00", 0, "a git index", "List it with `git ls-files --stage`."),
	opaque("PACK\x00\x00\x00", 0, "a git pack", "List it with `git verify-pack -v`."),
	opaque("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0, "an older Office document (OLE: doc, xls, ppt, msi)", "List it with `7z l`."+unpackText),
	opaque("{\\rtf", 0, "an RTF document", strings.TrimSpace(unpackText)),

	opaque("wOFF", 0, "a font (WOFF)", fontTools),
	opaque("wOF2", 0, "a font (WOFF2)", fontTools),
	opaque("OTTO", 0, "a font (OpenType)", fontTools),
	opaque("ttcf", 0, "a font collection (TrueType)", fontTools),
	opaque("\x00\x01\x00\x00\x00", 0, "a font (TrueType)", fontTools),

	opaque("ID3", 0, "an audio file (MP3)", listen),
	opaque("\xff\xfb", 0, "an audio file (MP3)", listen),
	opaque("\xff\xf3", 0, "an audio file (MP3)", listen),
	opaque("fLaC", 0, "an audio file (FLAC)", listen),
	opaque("OggS", 0, "an audio or video file (Ogg)", listen),
	{magic: "RIFF", then: "WAVE", thenAt: 8, Kind: Kind{ABinary, "", "an audio file (WAV)", listen}},
	{magic: "RIFF", then: "AVI ", thenAt: 8, Kind: Kind{ABinary, "", "a video file (AVI)", listen}},
	opaque("MThd\x00", 0, "a MIDI file", listen),
	opaque("\x1a\x45\xdf\xa3", 0, "a video file (Matroska or WebM)", listen),
	opaque("ftypM4A", 4, "an audio file (M4A)", listen),
	opaque("ftypqt", 4, "a video file (QuickTime)", listen),
	opaque("ftyp", 4, "a video file (MP4)", listen),
	opaque("FLV\x01", 0, "a video file (FLV)", listen),
	opaque("\x00\x00\x01\xba", 0, "a video file (MPEG)", listen),
}

// opaque is the row of a format that only binary files have.
func opaque(magic string, at int, name, advice string) signature {
	return signature{magic: magic, at: at, onlyBinary: true, Kind: Kind{ABinary, "", name, advice}}
}

// zipName is what a zip is called until [InZip] looked into it.
const zipName = "a zip archive"

// IsZip reports whether more is to be learnt from [InZip].
func (k Kind) IsZip() bool { return k.Name == zipName }
