//! Pages that are doors to others (001 "Doorway pages", "Cloaking", "Domain flooding").

use super::{EACH, SpamSort, page, text_page};

pub(super) const DOORWAY: SpamSort = SpamSort {
    name: "doorway",
    what: "has a text for one query, and sends readers to another host",
    is_spam: true,
    make: |maker| {
        let target = format!("http://{}/", maker.host(999));
        for n in 0..EACH {
            let (aim, place) = (maker.aim(), maker.place());
            let text = maker.prose(6);
            let head = match n % 3 {
                0 => format!("<meta http-equiv=\"refresh\" content=\"0;url={target}\">"),
                1 => format!("<script>window.location.replace(\"{target}\");</script>"),
                _ => format!("<script>location.href = '{target}'</script>"),
            };
            let title = format!("{aim} in {place}");
            let text = format!("The best of {aim} in {place}. {text}");
            maker.put(format!("http://{}/{n}", maker.host(n / 4)), text_page(&title, &head, &text));
        }
        let (title, text) = (format!("{} {}", maker.praise(), maker.good()), maker.stuffing(150));
        maker.put(target, text_page(&title, "", &text));
    },
};

pub(super) const CLOAKING: SpamSort = SpamSort {
    name: "cloaking",
    what: "shows crawlers a stuffed page; what readers get only a fetch as a browser can tell",
    is_spam: true,
    make: |maker| {
        for n in 0..EACH {
            let aim = maker.aim();
            let words = 120 + maker.dice.below(200);
            let text = format!("{} {}", maker.stuffing(words), maker.prose(3));
            maker.put(format!("http://{}/", maker.host(n)), text_page(aim, "", &text));
        }
    },
};

pub(super) const FLOODING: SpamSort = SpamSort {
    name: "domain-flooding",
    what: "is one of many domains that all lead to one",
    is_spam: true,
    make: |maker| {
        let target = format!("http://{}/", maker.host(999));
        for n in 0..EACH {
            let (good, text) = (maker.good(), maker.prose(6));
            let title = format!("{good} {}", maker.place());
            let body =
                format!("<h1>{title}</h1><p>{text}</p><p><a href=\"{target}\">{good}</a></p>");
            maker.put(format!("http://{}/", maker.host(n)), page(&title, "", &body));
        }
        let (title, text) = (format!("{} {}", maker.praise(), maker.good()), maker.prose(10));
        maker.put(target, text_page(&title, "", &text));
    },
};
