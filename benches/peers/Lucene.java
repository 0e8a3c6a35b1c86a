// Lucene on made documents: java -cp LUCENE.jar benches/peers/Lucene.java DOCUMENTS QUERIES INDEX
// A line of DOCUMENTS is URL, title and body between tabs. Prints a line of JSON.

import java.lang.management.ManagementFactory;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.queryparser.classic.*;
import org.apache.lucene.search.*;
import org.apache.lucene.store.FSDirectory;

class Lucene {
    static final int THREADS = 2;
    static final int WARM = 200;

    static double cpu() {
        var bean = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return bean.getProcessCpuTime() / 1e9;
    }

    static int index(Path documents, FSDirectory directory) throws Exception {
        var config = new IndexWriterConfig(new StandardAnalyzer()).setRAMBufferSizeMB(512);
        var waiting = new ArrayBlockingQueue<List<String>>(8);
        int count = 0;
        try (var writer = new IndexWriter(directory, config); var lines = Files.newBufferedReader(documents)) {
            var threads = Executors.newFixedThreadPool(THREADS);
            var done = new ArrayList<Future<?>>();
            for (int i = 0; i < THREADS; i++) done.add(threads.submit(() -> add(writer, waiting)));
            var batch = new ArrayList<String>();
            for (String line; (line = lines.readLine()) != null; count++) {
                batch.add(line);
                if (batch.size() == 128) { waiting.put(batch); batch = new ArrayList<>(); }
            }
            waiting.put(batch);
            for (int i = 0; i < THREADS; i++) waiting.put(List.of());
            for (var thread : done) thread.get();
            threads.shutdown();
            writer.commit();
        }
        return count;
    }

    static Void add(IndexWriter writer, BlockingQueue<List<String>> waiting) throws Exception {
        for (List<String> batch; !(batch = waiting.take()).isEmpty(); ) {
            for (String line : batch) {
                String[] cells = line.split("\t");
                var document = new Document();
                document.add(new StringField("url", cells[0], Field.Store.YES));
                document.add(new TextField("title", cells[1], Field.Store.YES));
                document.add(new TextField("body", cells[2], Field.Store.YES));
                writer.addDocument(document);
            }
        }
        return null;
    }

    public static void main(String[] args) throws Exception {
        double start = cpu();
        try (var lines = Files.newBufferedReader(Path.of(args[0]))) { while (lines.readLine() != null) { } }
        double reading = cpu() - start;
        try (var directory = FSDirectory.open(Path.of(args[2]))) {
            start = cpu();
            int count = index(Path.of(args[0]), directory);
            double indexing = Math.max(cpu() - start - reading, 0.01);
            List<Double> times = new ArrayList<>();
            double asking = 0;
            try (var reader = DirectoryReader.open(directory)) {
                var searcher = new IndexSearcher(reader);
                var parser = new MultiFieldQueryParser(new String[] {"title", "body"}, new StandardAnalyzer());
                var queries = Files.readAllLines(Path.of(args[1]));
                for (int at = 0; at < queries.size(); at++) {
                    if (at == WARM) asking = cpu();
                    long before = System.nanoTime();
                    for (var hit : searcher.search(parser.parse(queries.get(at)), 10).scoreDocs)
                        searcher.storedFields().document(hit.doc).get("body").length();
                    if (at >= WARM) times.add((System.nanoTime() - before) / 1e6);
                }
                asking = cpu() - asking;
            }
            Collections.sort(times);
            System.out.printf(Locale.ROOT,
                "{\"name\": \"Lucene %s\", \"documents_per_cpu_second\": %.1f, \"cpu_ms_per_query\": %.4f, \"p50\": %.4f, \"p99\": %.4f}%n",
                org.apache.lucene.util.Version.LATEST, count / indexing, asking * 1e3 / times.size(),
                times.get(times.size() / 2), times.get(times.size() * 99 / 100));
        }
    }
}
