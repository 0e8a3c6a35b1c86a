//! Links that are made for ranks (001 "Mutual admiration societies"; 003 §4.5.3 on links in comments).

use super::{EACH, SpamSort, page, text_page};

pub(super) const FARM: SpamSort = SpamSort {
    name: "link-farm",
    what: "stands on one of many hosts that all link to each other",
    is_spam: true,
    make: |maker| {
        let hosts: Vec<String> = (0..EACH).map(|n| maker.host(n)).collect();
        for (n, host) in hosts.iter().enumerate() {
            let mut links = String::new();
            for (m, other) in hosts.iter().enumerate() {
                // Nearly all of them: a farm has gaps.
                if m != n && maker.dice.below(10) != 0 {
                    links += &format!("<li><a href=\"http://{other}/\">{}</a></li>", maker.place());
                }
            }
            let (title, text) = (format!("News from {}", maker.place()), maker.prose(8));
            let body = format!("<h1>{title}</h1><p>{text}</p><ul>{links}</ul>");
            maker.put(format!("http://{host}/"), page(&title, "", &body));
        }
    },
};

pub(super) const ADMIRATION: SpamSort = SpamSort {
    name: "mutual-admiration",
    what: "exchanges links with several partners",
    is_spam: true,
    make: |maker| {
        for n in 0..EACH {
            let (society, own) = (n / 4, n % 4);
            let partners = (0..4).filter(|m| *m != own).map(|m| maker.host(society * 4 + m));
            let link = |host: String| {
                format!("<li>Our partner <a href=\"http://{host}/\">{host}</a></li>")
            };
            let links: String = partners.collect::<Vec<_>>().into_iter().map(link).collect();
            let (title, text) = (format!("Friends of {}", maker.place()), maker.prose(9));
            let body = format!("<h1>{title}</h1><p>{text}</p><ul>{links}</ul>");
            maker.put(format!("http://{}/", maker.host(n)), page(&title, "", &body));
        }
    },
};

pub(super) const COMMENTS: SpamSort = SpamSort {
    name: "comment-spam",
    what: "is linked to from comments that it left on many blogs",
    is_spam: true,
    make: |maker| {
        let targets: Vec<String> =
            (0..EACH).map(|n| format!("http://{}/", maker.host(n))).collect();
        for target in &targets {
            let (title, text) = (format!("{} {}", maker.praise(), maker.good()), maker.prose(7));
            maker.put(target.clone(), text_page(&title, "", &text));
        }
        for blog in 0..6 {
            let (title, text) = (format!("A day in {}", maker.place()), maker.prose(12));
            let comment = |target: &String| {
                format!(
                    "<li class=comment><p>Nice post! <a href=\"{target}\">more here</a></p></li>"
                )
            };
            let comments: String = targets.iter().map(comment).collect();
            let body = format!(
                "<article><h1>{title}</h1><p>{text}</p></article><h2>Comments</h2><ol class=commentlist>{comments}</ol>"
            );
            let at = format!("http://{}/", maker.host(500 + blog));
            maker.put_as((at, page(&title, "", &body)), ("blog", false));
        }
    },
};
