//! Cached copies: what a page may still do after it was made harmless.

use crate::capture;
use fyke_formats::parse;
use fyke_web::copy;

fn check(headers: &str, body: &str, expected: &str) {
    let page = capture("http://a.test/dir/", headers, body.as_bytes());
    let mut escape = |text: &str, out: &mut String| out.push_str(&text.replace('<', "&lt;"));
    assert_eq!(copy(&parse(&page), &page.url, &mut escape), expected, "{body}");
}

#[test]
fn a_copy_keeps_shape_and_links_and_nothing_that_acts() {
    let html = "Content-Type: text/html";
    check(
        html,
        "<p onclick=x() style=y>one<br><img src=/i><script>two</script></p>",
        "<p>one<br></p>",
    );
    check(
        html,
        "<form><input name=a></form><iframe src=/x></iframe><b>a&lt;b</b>",
        "<b>a&lt;b</b>",
    );
    check(html, "<a href='javascript:x()'>go</a>", "<a>go</a>");
    check(
        html,
        "<a href='x?a=1&amp;b=2'>go</a>",
        "<a href=\"http://a.test/dir/x?a=1&amp;b=2\" \
         rel=\"nofollow noreferrer\" target=\"_blank\">go</a>",
    );
    check("Content-Type: text/plain", "a <b>", "<pre>a &lt;b></pre>");
}
