//! Which forms may be sent: those that look things up, by GET, to the host they stand on. A form has to look like a search
//! or a list to choose from, and must not look like anything that changes something or tells who somebody is.

use super::{SelectField, SendableForm};
use fyke_web::{FormField, FormFieldKind, HtmlForm, Url};

/// What forms are called that look things up.
const LOOKS_UP: &[&str] = &[
    "search",
    "find",
    "query",
    "lookup",
    "browse",
    "filter",
    "catalog",
    "catalogue",
    "suche",
    "suchen",
    "finden",
    "recherche",
    "chercher",
    "buscar",
    "busqueda",
    "buscador",
    "cerca",
    "ricerca",
    "zoek",
    "zoeken",
    "iskanje",
    "isci",
    "pretraga",
    "trazi",
    "szukaj",
    "hledat",
    "keres",
    "procurar",
    "pesquisa",
];
/// What fields for words are called.
const WORDS: &[&str] = &[
    "q",
    "query",
    "s",
    "search",
    "searchterm",
    "term",
    "terms",
    "keyword",
    "keywords",
    "words",
    "text",
    "find",
    "k",
    "kw",
];
/// What forms are called that change something, or tell who somebody is. Whole words, but for those of six letters and more,
/// which may be a part of one.
const CHANGES: &[&str] = &[
    "delete",
    "remove",
    "destroy",
    "erase",
    "drop",
    "purge",
    "reset",
    "cancel",
    "unsubscribe",
    "subscribe",
    "signup",
    "signin",
    "login",
    "logon",
    "logout",
    "logoff",
    "register",
    "password",
    "cart",
    "basket",
    "checkout",
    "buy",
    "order",
    "pay",
    "donate",
    "comment",
    "reply",
    "post",
    "vote",
    "rate",
    "review",
    "send",
    "submit",
    "contact",
    "mail",
    "email",
    "newsletter",
    "upload",
    "edit",
    "save",
    "update",
    "create",
    "add",
    "new",
    "move",
    "rename",
    "book",
    "reserve",
    "admin",
    "account",
    "profile",
    "report",
    "flag",
    "like",
    "follow",
    "share",
    "approve",
    "confirm",
    "publish",
    "loeschen",
    "warenkorb",
    "kaufen",
    "kommentar",
    "anmelden",
    "abmelden",
    "bestellen",
    "supprimer",
    "panier",
    "acheter",
    "connexion",
    "eliminar",
    "borrar",
    "carrito",
    "comprar",
    "izbrisi",
    "kosarica",
    "prijava",
    "odjava",
    "odstrani",
    "elimina",
    "carrello",
    "verwijder",
    "winkelwagen",
    "usun",
    "koszyk",
];
/// What fields that nobody types in say where they make something go away. Narrow: sort keys and categories are called all
/// sorts of things.
const DESTROYS: &[&str] = &[
    "delete",
    "remove",
    "destroy",
    "erase",
    "purge",
    "trash",
    "reset",
    "cancel",
    "logout",
    "signout",
    "unsubscribe",
    "unpublish",
];
/// What hidden fields are called that tell who somebody is, or that a page was just seen: whole words, and parts of words.
const TOKENS: &[&str] = &["sess", "session", "sid", "auth", "authenticity"];
const TOKEN_PARTS: &[&str] = &["csrf", "xsrf", "nonce", "token", "sessid"];
/// From so many letters on a name may be a part of a word.
const LONG: usize = 6;

/// The form as it may be sent; else in words why not.
pub(crate) fn judge_form(form: &HtmlForm, page: &Url) -> Result<SendableForm, String> {
    if !form.is_get {
        return Err("it is not sent by GET".to_owned());
    }
    if form.action.authority() != page.authority() || form.action.scheme() != page.scheme() {
        return Err(format!("it is sent to another host, {}", form.action.authority()));
    }
    for FormField { kind, name, .. } in &form.fields {
        let what = match kind {
            FormFieldKind::Password => "a password",
            FormFieldKind::File => "a file",
            FormFieldKind::Mail => "an address of mail",
            FormFieldKind::Area => "a text of several lines",
            _ => continue,
        };
        return Err(format!("its field {name:?} asks for {what}"));
    }
    let texts: Vec<&FormField> =
        form.fields.iter().filter(|field| field.kind == FormFieldKind::Text).collect();
    if texts.len() > 1 {
        return Err("it has several fields for words".to_owned());
    }
    let names = texts.iter().map(|field| field.name.as_str());
    let own = tokens(&form.words);
    let mut all = own.clone();
    all.extend(names.clone().flat_map(tokens));
    all.extend(tokens(form.action.path_and_query()));
    if let Some(word) = all.iter().find(|word| is_named(word, CHANGES)) {
        return Err(format!("its words say {word:?}: it may change something"));
    }
    check_unseen(form)?;
    let has_name = names.clone().any(|name| WORDS.contains(&name.to_lowercase().as_str()));
    if !has_name && !all.iter().any(|word| is_named(word, LOOKS_UP)) {
        return Err("nothing says that it looks something up".to_owned());
    }
    sendable(form, texts.first().map(|field| field.name.clone()))
}

/// Refuses fields that are sent without being typed in, if they change something or tell who somebody is.
fn check_unseen(form: &HtmlForm) -> Result<(), String> {
    for FormField { name, kind, value, options } in &form.fields {
        if !matches!(kind, FormFieldKind::Hidden | FormFieldKind::Select) {
            continue;
        }
        let said = [name, value].into_iter().chain(options);
        if let Some(word) = said.flat_map(|text| tokens(text)).find(|it| is_named(it, DESTROYS)) {
            return Err(format!("its field {name:?} says {word:?}: it may change something"));
        }
        let is_token = |word: &String| {
            is_named(word, TOKENS) || TOKEN_PARTS.iter().any(|part| word.contains(part))
        };
        if *kind == FormFieldKind::Hidden && tokens(name).iter().any(is_token) {
            return Err(format!("its field {name:?} is a token"));
        }
    }
    Ok(())
}

fn sendable(form: &HtmlForm, text: Option<String>) -> Result<SendableForm, String> {
    let (mut selects, mut fixed) = (Vec::new(), Vec::new());
    for FormField { name, kind, value, options } in &form.fields {
        match kind {
            FormFieldKind::Select => {
                let (name, usual, options) = (name.clone(), value.clone(), options.clone());
                selects.push(SelectField { name, usual, options });
            }
            FormFieldKind::Hidden => fixed.push((name.clone(), value.clone())),
            _ => {}
        }
    }
    let pressed = form.fields.iter().find(|field| field.kind == FormFieldKind::Button);
    fixed.extend(pressed.map(|button| (button.name.clone(), button.value.clone())));
    if text.is_none() && selects.is_empty() {
        return Err("it has nothing to fill in".to_owned());
    }
    let action = form.action.as_str().split(['?', '#']).next().unwrap_or_default().to_owned();
    Ok(SendableForm { action, text, selects, fixed })
}

/// The words of a text in small letters; those in camel case are several.
fn tokens(text: &str) -> Vec<String> {
    let mut parted = String::new();
    for c in text.chars() {
        if c.is_uppercase() {
            parted.push(' ');
        }
        parted.extend(c.to_lowercase());
    }
    let plain = text.to_lowercase();
    let words = parted.split(|c: char| !c.is_alphanumeric());
    let whole = plain.split(|c: char| !c.is_alphanumeric());
    words.chain(whole).filter(|word| word.len() > 1).map(str::to_owned).collect()
}

fn is_named(word: &str, names: &[&str]) -> bool {
    names.iter().any(|name| word == *name || name.len() >= LONG && word.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: Result<&str, &str>) {
        let page = Url::parse("http://a.test/x/?y=1").expect("a URL");
        let found = fyke_web::forms(html, &page);
        let form = found.first().unwrap_or_else(|| panic!("{html}"));
        match (judge_form(form, &page), expected) {
            (Ok(form), Ok(key)) => assert_eq!(form.key(), key, "{html}"),
            (Err(what), Err(part)) => assert!(what.contains(part), "{html}: {what}"),
            (found, expected) => panic!("{html}: expected {expected:?}, found {found:?}"),
        }
    }

    #[test]
    fn forms_that_look_something_up_are_sent() {
        check("<form><input name=q>", Ok("http://a.test/x/?q"));
        check(
            "<form action=/search?x=1 method=get><input name=words>",
            Ok("http://a.test/search?words"),
        );
        check(
            "<form action=/list class=filter><select name=year><option>1<option>2</select>",
            Ok("http://a.test/list?year"),
        );
        check(
            "<form role=search><input name=item><button>Go</button>",
            Ok("http://a.test/x/?item"),
        );
        check("<form><input name=x type=search>", Ok("http://a.test/x/?x"));
        check("<form id=catalogSearch><input name=x>", Ok("http://a.test/x/?x"));
    }

    #[test]
    fn forms_that_may_change_something_are_not_sent() {
        check("<form method=post><input name=q>", Err("not sent by GET"));
        check("<form action=//b.test/><input name=q>", Err("another host, b.test"));
        check("<form action=https://a.test/><input name=q>", Err("another host"));
        check("<form><input name=q><input type=password name=p>", Err("asks for a password"));
        check("<form><input name=q><input type=file name=p>", Err("asks for a file"));
        check("<form><input name=q><input type=email name=p>", Err("an address of mail"));
        check("<form><input name=q><textarea name=p></textarea>", Err("several lines"));
        check("<form><input name=q><input name=r>", Err("several fields"));
        for sign in [
            "action=/delete",
            "id=deleteRecord",
            "class=add-to-cart",
            "name=unsubscribe-form",
            "action=/do?op=remove",
            "action=/vote",
            "action=/admin/search",
        ] {
            check(&format!("<form {sign}><input name=q>"), Err("may change something"));
        }
        for button in ["Delete record", "Buy", "Order a copy", "Log in? login", "Löschen loeschen"]
        {
            let html = format!("<form action=/search><input name=q><button>{button}</button>");
            check(&html, Err("may change something"));
        }
        check("<form action=/x><input name=id><button>Go</button>", Err("nothing says"));
        check("<form action=/x><select name=id><option>1</select>", Err("nothing says"));
        check(
            "<form action=/search><input type=hidden name=id value=1>",
            Err("nothing to fill in"),
        );
    }

    #[test]
    fn fields_that_nobody_types_in_change_nothing_and_are_no_tokens() {
        let refused = |field: &str, part: &str| {
            check(&format!("<form action=/search><input name=q>{field}</form>"), Err(part));
        };
        refused(
            "<input type=hidden name=action value=delete>",
            "\"action\" says \"delete\": it may",
        );
        refused("<input type=hidden name=doReset value=1>", "\"doReset\" says \"reset\": it may");
        refused("<select name=do><option>show<option>purge</select>", "\"do\" says \"purge\"");
        for name in ["csrf", "csrfmiddlewaretoken", "_wpnonce", "PHPSESSID", "sid", "auth_key"] {
            refused(&format!("<input type=hidden name={name} value=1>"), "is a token");
        }
        let taken = "<form action=/search><input name=q><input type=hidden name=lang value=new>\
            <select name=sort><option>order<option>new<option>rate</select>\
            <select name=category><option>book<option>post<option>author<option>token</select>";
        check(taken, Ok("http://a.test/search?q&sort&category"));
    }
}
