import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Tells what javac's parser takes for definitions: for each path on standard input a line of JSON, as tsjudge.mjs does; null if it does
 * not parse.
 */
public final class JavaJudge {
    public static void main(String[] arguments) throws IOException {
        List<File> files = new BufferedReader(new InputStreamReader(System.in)).lines().map(File::new).collect(Collectors.toList());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
        for (File file : files) {
            DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
            JavacTask task = (JavacTask) compiler.getTask(null, manager, problems, List.of("-proc:none"), null, manager.getJavaFileObjects(file));
            StringBuilder answer = new StringBuilder();
            for (CompilationUnitTree unit : task.parse()) {
                Finder finder = new Finder(unit, Trees.instance(task).getSourcePositions());
                finder.scan(unit, null);
                answer.append("[").append(String.join(",", finder.items)).append("]");
            }
            boolean broken = problems.getDiagnostics().stream().anyMatch(d -> d.getKind() == javax.tools.Diagnostic.Kind.ERROR);
            System.out.println(broken ? "null" : answer);
        }
    }

    private static final class Finder extends TreeScanner<Void, Void> {
        final List<String> items = new ArrayList<>();
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final CharSequence text;
        /** What a definition may be said to stand in, the nearest last; "" is the file. */
        private List<String> containers = List.of("");

        Finder(CompilationUnitTree unit, SourcePositions positions) throws IOException {
            this.unit = unit;
            this.positions = positions;
            this.text = unit.getSourceFile().getCharContent(true);
        }

        @Override
        public Void visitClass(ClassTree node, Void none) {
            String name = node.getSimpleName().toString();
            if (name.isEmpty()) { // its methods may be said to stand in whatever is around
                return super.visitClass(node, none);
            }
            add(name, "type", node, positions.getEndPosition(unit, node.getModifiers()));
            return inside(List.of(name), () -> super.visitClass(node, none));
        }

        @Override
        public Void visitMethod(MethodTree node, Void none) {
            boolean constructor = node.getName().contentEquals("<init>");
            String name = constructor ? containers.get(containers.size() - 1) : node.getName().toString();
            Tree before = constructor || node.getReturnType() == null ? node.getModifiers() : node.getReturnType();
            add(name, "function", node, positions.getEndPosition(unit, before));
            return inside(with(name), () -> super.visitMethod(node, none));
        }

        @Override
        public Void visitVariable(VariableTree node, Void none) {
            return inside(with(node.getName().toString()), () -> super.visitVariable(node, none));
        }

        private List<String> with(String name) {
            List<String> more = new ArrayList<>(containers);
            more.add(name);
            return more;
        }

        private Void inside(List<String> names, Runnable scan) {
            List<String> outside = containers;
            containers = names;
            scan.run();
            containers = outside;
            return null;
        }

        private void add(String name, String kind, Tree node, long from) {
            long start = positions.getStartPosition(unit, node);
            Matcher word = Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(text);
            long at = word.find((int) Math.max(from, start)) ? word.start() : start;
            items.add(String.format("{\"name\":\"%s\",\"class\":\"%s\",\"line\":%d,\"start\":%d,\"end\":%d,\"containers\":[%s]}", name, kind, line(at),
                line(start), line(positions.getEndPosition(unit, node) - 1), containers.stream().map(c -> '"' + c + '"').collect(Collectors.joining(","))));
        }

        private long line(long position) {
            return unit.getLineMap().getLineNumber(position);
        }
    }
}
