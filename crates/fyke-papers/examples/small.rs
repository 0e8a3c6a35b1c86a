//! Writes the small literature of tests as a WARC file to standard output: to be imported and looked at.

#[allow(clippy::print_stdout, reason = "a program of its own")]
fn main() {
    for page in fyke_papers::small::pages() {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}", page.html);
        print!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nWARC-Date: \
             2014-02-16T05:02:01Z\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            page.url,
            block.len()
        );
    }
}
