//! Soft 404: every path answers 200, pages that do not exist with an apology.

use super::{Hazard, PLAIN, prose};
use crate::{Answer, AnswerKind, Ask, Pond};

pub const ROW: Hazard = Hazard {
    name: "soft-404",
    hosts: &["soft404.test"],
    what: "Any path answers 200; dead links get a page that says it was not found. A good crawler \
           keeps the four desks and recognises the apology.",
    answer: |pond, ask| Some(answer(pond, ask)),
    links: &[("http://soft404.test/", "Lost property office")],
    ..PLAIN
};

fn answer(pond: &Pond, ask: &Ask) -> Answer {
    let links = [
        ("/desk/1", "First desk"),
        ("/desk/2", "Second desk"),
        ("/desk/3", "Third desk"),
        ("/desk/4", "Fourth desk"),
        ("/moved/old-1", "Lost gloves"),
        ("/moved/old-2", "Lost hats"),
        ("/moved/old-3", "Lost sticks"),
    ];
    if ask.path == "/" {
        return prose::article(pond, ask, "Lost property office", &prose::list(links));
    }
    if let Some((_, title)) = links[..4].iter().find(|(path, _)| *path == ask.path) {
        return prose::article(pond, ask, title, &prose::list([("/", "Lost property office")]));
    }
    let sorry = "<p>Sorry, the page you are looking for could not be found. It may have been \
                 removed, had its name changed, or is temporarily unavailable. Please check the \
                 address or go back to the <a href=\"/\">home page</a>. Error 404.</p>";
    Answer { kind: AnswerKind::Missing, ..prose::page("Page not found", "", sorry) }
}
