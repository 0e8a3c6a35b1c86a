//! robots.txt as RFC 9309 and the documentation of the largest crawler have it, case by case: for each file, who asks, and
//! which paths may be fetched and which may not.

use fyke_web::Robots;

/// A file, the agent that asks, and paths behind `+` (allowed) or `-` (disallowed).
type RobotsCase = (&'static str, &'static str, &'static str, &'static [&'static str]);

#[rustfmt::skip]
const CASES: &[RobotsCase] = &[
    ("an empty file allows all", "", "foobot", &["+/", "+/x", "+"]),
    ("no agent is asked for: no group binds", "user-agent: foobot\ndisallow: /", "", &["+/x"]),
    ("a line is a key, a colon and a value", "user-agent: foobot\ndisallow: /\n", "foobot", &["-/x/y", "-/"]),
    ("unknown keys say nothing", "foo: foobot\nbar: /\n", "foobot", &["+/x/y"]),
    ("a colon may be missing", "user-agent foobot\ndisallow /\n", "foobot", &["-/x/y"]),
    ("a group with two agents binds both", "user-agent: foobot\nuser-agent: barbot\ndisallow: /\nallow: /x/\n", "barbot", &["+/x/b", "-/z/d"]),
    ("a group ends where the next agent is named", "allow: /foo/bar/\n\nuser-agent: foobot\ndisallow: /\nallow: /x/\nuser-agent: barbot\ndisallow: /\nallow: /y/\n", "foobot", &["+/x/b", "-/z/d", "-/y/c"]),
    ("the same for the other agent", "user-agent: foobot\ndisallow: /\nallow: /x/\nuser-agent: barbot\ndisallow: /\nallow: /y/\n", "barbot", &["+/y/c", "-/w/a", "-/z/d"]),
    ("rules before any agent bind nobody", "allow: /foo/bar/\ndisallow: /\n", "foobot", &["+/z/d"]),
    ("other lines do not end a list of agents", "user-agent: barbot\nsitemap: /x.xml\nuser-agent: *\ndisallow: /\n", "foobot", &["-/x"]),
    ("nor do lines nobody knows", "user-agent: foobot\ninvalid-unknown-line\nuser-agent: *\ndisallow: /\n", "foobot", &["-/x"]),
    ("keys in upper case", "USER-AGENT: foobot\nALLOW: /x/\nDISALLOW: /\n", "foobot", &["+/x/y", "-/a/b"]),
    ("keys in any case", "uSeR-aGeNt: foobot\naLlOw: /x/\ndIsAlLoW: /\n", "foobot", &["+/x/y", "-/a/b"]),
    ("agents in any case", "User-Agent: FOO BAR\nAllow: /x/\nDisallow: /\n", "foo", &["+/x/y", "-/a/b"]),
    ("an agent ends at what no name has", "User-Agent: foo/1.2\nAllow: /x/\nDisallow: /\n", "Foo", &["+/x/y", "-/a/b"]),
    ("who is named is not bound by the star", "User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n", "Foo", &["+/x/y", "-/a/b"]),
    ("who gives several words as a name has no group", "User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n", "Foo Bar", &["-/x/y"]),
    ("part of a name is another name", "User-agent: foobot\nDisallow: /\n", "foo", &["+/x"]),
    ("the star binds who is not named", "user-agent: *\nallow: /\nuser-agent: foobot\ndisallow: /\n", "quxbot", &["+/x/y"]),
    ("and not who is", "user-agent: *\nallow: /\nuser-agent: foobot\ndisallow: /\n", "foobot", &["-/x/y"]),
    ("without a star whoever is not named is free", "user-agent: foobot\nallow: /\nuser-agent: barbot\ndisallow: /\n", "quxbot", &["+/x/y"]),
    ("a star with words behind it is a star", "User-agent: * baz\nDisallow: /\n", "foobot", &["-/x"]),
    ("a star that is part of a name is none", "User-agent: *x\nDisallow: /\n", "foobot", &["+/x"]),
    ("groups of one agent are one", "user-agent: foobot\ndisallow: /x\nuser-agent: a\ndisallow: /\nuser-agent: foobot\ndisallow: /y\n", "foobot", &["-/x", "-/y", "+/z"]),
    ("paths keep their case", "user-agent: foobot\ndisallow: /X/\n", "foobot", &["+/x/y", "-/X/y"]),
    ("the longer rule wins, whichever comes first", "user-agent: foobot\ndisallow: /x/page.html\nallow: /x/\n", "foobot", &["-/x/page.html", "+/x/"]),
    ("the longer rule wins, the other way round", "user-agent: foobot\nallow: /x/page.html\ndisallow: /x/\n", "foobot", &["+/x/page.html", "-/x/"]),
    ("of two equal rules the one that allows", "user-agent: foobot\ndisallow: /x\nallow: /x\n", "foobot", &["+/x", "+/xy"]),
    ("empty rules say nothing", "user-agent: foobot\ndisallow:\nallow:\n", "foobot", &["+/x/page.html"]),
    ("a rule for the root and one for a page", "user-agent: foobot\ndisallow: /\nallow: /x/page.html\n", "foobot", &["+/x/page.html", "-/x/page"]),
    ("a star in a longer rule", "user-agent: foobot\ndisallow: /x/page.html\nallow: /x/page.\n", "foobot", &["-/x/page.html", "+/x/page.htm"]),
    ("stars count as a character", "user-agent: foobot\ndisallow: *\nallow: /x/page.html\n", "foobot", &["+/x/page.html", "-/y"]),
    ("a query is part of the path", "User-agent: foobot\nDisallow: /\nAllow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par\n", "foobot", &["+/foo/bar?qux=taz&baz=http://foo.bar?tar&par", "-/foo/bar?qux=taz"]),
    ("characters equal their escapes", "User-agent: foobot\nDisallow: /\nAllow: /foo/bar/ツ\n", "foobot", &["+/foo/bar/%E3%83%84", "+/foo/bar/ツ"]),
    ("escapes in lower case too", "User-agent: foobot\nDisallow: /\nAllow: /foo/bar/%e3%83%84\n", "foobot", &["+/foo/bar/%E3%83%84"]),
    ("escaped letters are letters (RFC 9309, 2.2.2)", "User-agent: foobot\nDisallow: /\nAllow: /foo/bar/%62%61%7A\n", "foobot", &["+/foo/bar/baz", "+/foo/bar/%62%61%7A"]),
    ("a star stands for any run", "User-agent: foobot\nDisallow: /foo/bar/quz\nAllow: /foo/*/qux\n", "foobot", &["-/foo/bar/quz", "+/foo/quz", "+/foo//quz", "+/foo/bax/quz"]),
    ("a dollar stands for the end", "User-agent: foobot\nDisallow: /foo/bar$\nAllow: /foo/bar/qux\n", "foobot", &["-/foo/bar", "+/foo/bar/qux", "+/foo/bar/", "+/foo/bar/baz"]),
    ("what follows a # is a comment", "User-agent: foobot\n# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n", "foobot", &["+/foo/bar", "-/foo/quz"]),
    ("who allows an index allows its folder", "User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n", "foobot", &["+/allowed-slash/", "+/allowed-slash/index.html", "-/allowed-slash/index.htm", "-/anyother-url", "-/allowed-slash/other"]),
    ("who forbids an index forbids no folder", "User-Agent: *\nDisallow: /slash/index.html\n", "foobot", &["+/slash/", "-/slash/index.html"]),
    ("a path is a prefix", "user-agent: foobot\ndisallow: /\nallow: /fish\n", "foobot", &["-/bar", "+/fish", "+/fish.html", "+/fish/salmon.html", "+/fishheads", "+/fishheads/yummy.html", "+/fish.html?id=anything", "-/Fish.asp", "-/catfish", "-/?id=fish"]),
    ("a star at the end says nothing", "user-agent: foobot\ndisallow: /\nallow: /fish*\n", "foobot", &["-/bar", "+/fish", "+/fish/salmon.html", "+/fishheads", "-/Fish.bar", "-/catfish", "-/?id=fish"]),
    ("a folder is not the file of its name", "user-agent: foobot\ndisallow: /\nallow: /fish/\n", "foobot", &["+/fish/", "+/fish/salmon", "+/fish/?salmon", "+/fish/?id=anything", "-/fish", "-/fish.html", "-/Fish/Salmon.html"]),
    ("a star before an ending", "user-agent: foobot\ndisallow: /\nallow: /*.php\n", "foobot", &["+/filename.php", "+/folder/filename.php", "+/folder/filename.php?parameters", "+//folder/any.php.file.html", "+/filename.php/", "+/index?f=filename.php/", "-/php/", "-/index?php", "-/windows.PHP"]),
    ("a star, an ending and the end", "user-agent: foobot\ndisallow: /\nallow: /*.php$\n", "foobot", &["+/filename.php", "+/folder/filename.php", "-/filename.php?parameters", "-/filename.php/", "-/filename.php5", "-/php/", "-/filename?php", "-/aaaphpaaa", "-//windows.PHP"]),
    ("a star in the middle", "user-agent: foobot\ndisallow: /\nallow: /fish*.php\n", "foobot", &["+/fish.php", "+/fishheads/catfish.php?parameters", "-/Fish.PHP", "-/bar"]),
    ("of two rules the more specific: allow", "user-agent: foobot\nallow: /p\ndisallow: /\n", "foobot", &["+/page"]),
    ("of equal ones the least restrictive", "user-agent: foobot\nallow: /folder\ndisallow: /folder\n", "foobot", &["+/folder/page"]),
    ("of two rules the more specific: disallow", "user-agent: foobot\nallow: /page\ndisallow: /*.htm\n", "foobot", &["-/page.htm"]),
    ("of a star and a path of one length, allow", "user-agent: foobot\nallow: /page\ndisallow: /*.ph\n", "foobot", &["+/page.php5"]),
    ("the home page alone", "user-agent: foobot\nallow: /$\ndisallow: /\n", "foobot", &["+/", "-/page.htm", "+"]),
    ("an empty path counts as the root", "user-agent: foobot\ndisallow: /\n", "foobot", &["-", "-/"]),
    ("lines may end in any way", "User-Agent: foo\rAllow: /x\r\n\n\nDisallow: /\n", "foo", &["+/x", "-/y"]),
    ("a mark of UTF-8 is passed over", "\u{FEFF}User-Agent: foo\nAllow: /AnyValue\nDisallow: /\n", "foo", &["+/AnyValue", "-/other"]),
    ("white space around keys and values", "\tuser-agent :\tfoo \n  disallow\t: /x \t\n", "foo", &["-/x", "+/y"]),
    ("common slips of the pen", "useragent: foo\ndissallow: /a\ndisalow: /b\ndiasllow: /c\ndisallaw: /d\n", "foo", &["-/a", "-/b", "-/c", "-/d", "+/e"]),
    ("the file itself may always be fetched", "user-agent: *\ndisallow: /\n", "foo", &["+/robots.txt", "-/robots.txt2"]),
];

#[test]
fn every_case_is_decided_as_the_documents_say() {
    let mut checked = 0;
    for (what, file, agent, paths) in CASES {
        let robots = Robots::parse(file.as_bytes(), agent);
        for path in *paths {
            let (expected, path) = path.split_at(1);
            let allowed = robots.check(path).allowed;
            assert_eq!(allowed, expected == "+", "{what}: {path:?} by {file:?} for {agent}");
            checked += 1;
        }
    }
    assert!(checked >= 140, "{checked}");
}
