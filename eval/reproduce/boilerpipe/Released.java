import de.l3s.boilerpipe.BoilerpipeExtractor;
import de.l3s.boilerpipe.extractors.ArticleExtractor;
import de.l3s.boilerpipe.extractors.DefaultExtractor;
import de.l3s.boilerpipe.extractors.LargestContentExtractor;
import de.l3s.boilerpipe.sax.BoilerpipeHTMLContentHandler;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.xml.sax.helpers.AttributesImpl;

/**
 * Hands pages to the library as the events of a parser and writes what its extractors answer.
 *
 * <p>Each line of the input is one event: S and an element's name, E and the name, T and a text. A
 * line with a dot ends a page. The answer to a page is one line for each extractor. In texts a
 * backslash, a newline and a carriage return are written as two characters.
 */
public final class Released {
  private static final BoilerpipeExtractor[] EXTRACTORS = {
    DefaultExtractor.INSTANCE, ArticleExtractor.INSTANCE, LargestContentExtractor.INSTANCE
  };

  public static void main(String[] args) throws Exception {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    List<String> events = new ArrayList<>();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (!line.equals(".")) {
        events.add(line);
        continue;
      }
      for (BoilerpipeExtractor extractor : EXTRACTORS) {
        out.print(escape(extractor.getText(parse(events))) + "\n");
      }
      out.flush();
      events.clear();
    }
  }

  private static de.l3s.boilerpipe.document.TextDocument parse(List<String> events)
      throws Exception {
    BoilerpipeHTMLContentHandler handler = new BoilerpipeHTMLContentHandler();
    handler.startDocument();
    for (String event : events) {
      String rest = event.substring(1);
      switch (event.charAt(0)) {
        case 'S':
          handler.startElement("", rest, rest, new AttributesImpl());
          break;
        case 'E':
          handler.endElement("", rest, rest);
          break;
        default:
          char[] text = unescape(rest).toCharArray();
          handler.characters(text, 0, text.length);
      }
    }
    handler.endDocument();
    return handler.toTextDocument();
  }

  private static String escape(String s) {
    return s.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescape(String s) {
    StringBuilder b = new StringBuilder();
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      if (c == '\\') {
        c = s.charAt(++i);
        c = c == 'n' ? '\n' : c == 'r' ? '\r' : c;
      }
      b.append(c);
    }
    return b.toString();
  }
}
