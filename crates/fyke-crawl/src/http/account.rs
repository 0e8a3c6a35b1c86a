//! What hosts are shown of the accounts that are named for them, and how a login goes: one request at a time, each in
//! the place of a page that is then asked for again after the gap of its host. The POST of a login is the only one that
//! leaves this program, and goes to the URL that is named and nowhere else.

use super::cookies::CookieJar;
use crate::control::lock;
use crate::credentials::{Credentials, HostAccount, LoginRecipe};
use crate::fetch::Failed;
use crate::forms::urlencoded;
use crate::politeness::retry_after;
use fyke_store::Reason;
use fyke_web::{Capture, FormFieldKind, Url, forms};
use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Mutex;

/// Logins to one host in one run: a session may end.
const MOST_LOGINS: u32 = 3;
/// Bytes of a login's page that are read.
const PAGE: usize = 1 << 20;
/// What stands in the place of a header that is kept from captures.
const LEFT_OUT: &str = "(left out)";

/// The accounts there are.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    hosts: HashMap<String, ShownAccount>,
}

/// The account of one host. What it is known by is not printed.
pub(super) struct ShownAccount {
    authority: String,
    /// The value of `Authorization`.
    authorization: Option<String>,
    /// Those brought along, and those that the host sets.
    pub(super) cookies: CookieJar,
    login: Option<Login>,
}

struct Login {
    recipe: LoginRecipe,
    state: Mutex<LoginState>,
}

/// How a login stands.
struct LoginState {
    /// Logins begun in this run.
    begun: u32,
    /// Nothing is asked before this time, in milliseconds since 1970.
    not_before: u64,
    at: LoginStep,
}

enum LoginStep {
    /// The page with the form comes next.
    Page,
    /// The form comes next, with these hidden fields.
    Form(Vec<(String, String)>),
    Done,
    /// It was refused, and is not tried again.
    Refused(String),
}

/// A request of a login.
pub(super) struct LoginRequest {
    pub(super) url: Url,
    /// What is posted; none of the page with the form.
    pub(super) form: Option<String>,
}

impl Accounts {
    pub(super) fn new(credentials: &Credentials) -> Accounts {
        let account = |(authority, account): (&String, &HostAccount)| {
            let (mut cookies, mut authorization, mut login) = (CookieJar::default(), None, None);
            match account {
                HostAccount::Header(value) => authorization = Some(value.reveal().to_owned()),
                HostAccount::Cookies(brought) => cookies = CookieJar::with(authority, brought),
                HostAccount::Login(recipe) => {
                    let state = LoginState { begun: 0, not_before: 0, at: LoginStep::Page };
                    login = Some(Login { recipe: recipe.clone(), state: Mutex::new(state) });
                }
            }
            let account =
                ShownAccount { authority: authority.clone(), authorization, cookies, login };
            (authority.clone(), account)
        };
        Accounts { hosts: credentials.each().map(account).collect() }
    }

    /// The account to show with a request: over TLS, or where it goes straight to this machine.
    pub(super) fn of(
        &self,
        url: &Url,
        sockets: &[SocketAddr],
        proxied: bool,
    ) -> Option<&ShownAccount> {
        if self.hosts.is_empty() {
            return None;
        }
        let is_here = !proxied && !sockets.is_empty();
        let is_here = is_here && sockets.iter().all(|socket| socket.ip().is_loopback());
        let account = self.hosts.get(url.authority())?;
        let is_login = account.login.as_ref();
        let is_same = is_login.is_none_or(|login| login.recipe.url.scheme() == url.scheme());
        (is_same && (url.scheme() == "https" || is_here)).then_some(account)
    }
}

impl fmt::Debug for ShownAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the account of {}", self.authority)
    }
}

impl ShownAccount {
    pub(super) fn authorization(&self) -> Option<&str> {
        self.authorization.as_deref()
    }

    /// Refuses to ask for what would end the session, by the words of its path.
    pub(super) fn mind_session(&self, url: &Url) -> Result<(), Failed> {
        const ENDS: [&str; 5] = ["logout", "logoff", "signout", "signoff", "abmelden"];
        let path: String =
            url.path_and_query().chars().filter(char::is_ascii_alphanumeric).collect();
        let path = path.to_ascii_lowercase();
        let is_end = self.authorization.is_none() && ENDS.iter().any(|word| path.contains(word));
        let what = "it would end the session of its host's account";
        if is_end { Err(Failed::of_page(Reason::Credentials, what)) } else { Ok(()) }
    }

    /// What must be asked before this URL, if anything; an error when that was refused. robots.txt comes before all.
    pub(super) fn first(&self, url: &Url, now: i64) -> Result<Option<LoginRequest>, Failed> {
        let Some(login) = self.login.as_ref().filter(|_| url.path() != "/robots.txt") else {
            return Ok(None);
        };
        let LoginRecipe { url, page, fields } = &login.recipe;
        let mut state = lock(&login.state);
        if state.not_before > u64::try_from(now).unwrap_or(0) {
            return Err(busy("the host asked to be left alone when it was asked for the login"));
        }
        Ok(match &state.at {
            LoginStep::Done => None,
            LoginStep::Refused(why) => return Err(refused(why)),
            LoginStep::Page => {
                if state.begun == MOST_LOGINS {
                    let why = format!("the host ended {MOST_LOGINS} sessions in this run");
                    state.at = LoginStep::Refused(why.clone());
                    return Err(refused(&why));
                }
                state.begun += 1;
                // Whatever becomes of the request, it is made once.
                state.at = LoginStep::Form(Vec::new());
                Some(LoginRequest { url: page.clone(), form: None })
            }
            LoginStep::Form(hidden) => {
                let given = |name: &str| fields.iter().any(|field| field.name == name);
                let kept = hidden.iter().filter(|(name, _)| !given(name));
                let kept = kept.map(|(name, value)| (name.as_str(), value.as_str()));
                let filled = fields.iter().map(|field| (field.name.as_str(), field.value.reveal()));
                let form = urlencoded(kept.chain(filled));
                state.at = LoginStep::Refused("the login got no answer".to_owned());
                Some(LoginRequest { url: url.clone(), form: Some(form) })
            }
        })
    }

    /// Takes in the answer of a request of a login; why the page itself is to be asked for later.
    pub(super) fn take(&self, asked: &LoginRequest, answer: &Capture) -> Failed {
        let Some(login) = &self.login else { return refused("there is no login") };
        let mut state = lock(&login.state);
        let now = u64::try_from(answer.time).unwrap_or(0);
        if matches!(answer.status, 429 | 500..=599) {
            let until = answer.header("retry-after").and_then(|value| retry_after(value, now));
            state.not_before = until.unwrap_or(0);
            (state.at, state.begun) = (LoginStep::Page, state.begun.saturating_sub(1));
            return busy(&format!("{} answered with the status {}", asked.url, answer.status));
        }
        let body = answer.body(PAGE).0;
        let body = String::from_utf8_lossy(&body);
        if asked.form.is_none() {
            state.at = LoginStep::Form(login.recipe.hidden(&body, answer));
            return super::gone(Reason::Credentials, "the page of the login came first");
        }
        state.at = match login.recipe.refusal(&body, answer) {
            None if self.cookies.is_empty() => {
                LoginStep::Refused(format!("the login at {} set no cookie", asked.url))
            }
            None => LoginStep::Done,
            Some(why) => LoginStep::Refused(format!("the login at {} {why}", asked.url)),
        };
        match &state.at {
            LoginStep::Refused(why) => refused(why),
            _ => super::gone(Reason::Credentials, "the login came first"),
        }
    }

    /// What an answer says of the account, if it speaks against it: then the page is to be asked for later, or never.
    pub(super) fn denial(&self, answer: &Capture) -> Option<Failed> {
        if answer.url.path() == "/robots.txt" {
            return None;
        }
        if let (Some(login), Some(Ok(to))) = (&self.login, answer.redirect())
            && login.recipe.is_at(&to)
            && !login.recipe.is_at(&answer.url)
        {
            lock(&login.state).at = LoginStep::Page;
            return Some(super::gone(Reason::Credentials, "the session has ended"));
        }
        let what =
            format!("status 401: it does not accept those of [credentials.{:?}]", self.authority);
        (answer.status == 401).then(|| Failed { status: 401, ..refused(&what) })
    }
}

/// The login cannot be asked for now: the host is backed off from.
fn busy(why: &str) -> Failed {
    Failed::of_host(Reason::Http5xx, why)
}

/// The account was not accepted: a matter of the host, which is given up when that goes on.
fn refused(why: &str) -> Failed {
    Failed::of_host(Reason::Credentials, why)
}

impl LoginRecipe {
    /// Whether a URL is that of the login, whatever its query says.
    fn is_at(&self, url: &Url) -> bool {
        let is_one = |of: &Url| of.authority() == url.authority() && of.path() == url.path();
        is_one(&self.url) || is_one(&self.page)
    }

    /// The hidden fields of the form on its page that has one of the fields to fill in.
    fn hidden(&self, body: &str, answer: &Capture) -> Vec<(String, String)> {
        let found = forms(body, &answer.url);
        let is_meant = |field: &crate::credentials::LoginField, form: &fyke_web::HtmlForm| {
            form.has(&field.name)
        };
        let form = found.iter().find(|form| self.fields.iter().any(|field| is_meant(field, form)));
        let fields = form.into_iter().flat_map(|form| &form.fields);
        let hidden = fields.filter(|field| field.kind == FormFieldKind::Hidden);
        hidden.map(|field| (field.name.clone(), field.value.clone())).collect()
    }

    /// Why an answer to the form means that it was not accepted, if it does.
    fn refusal(&self, body: &str, answer: &Capture) -> Option<String> {
        match (answer.status, answer.redirect()) {
            (_, Some(Ok(to))) if self.is_at(&to) => Some("led back to itself".to_owned()),
            (_, Some(Ok(_))) | (204, _) => None,
            (status, _) if !answer.has_content() => {
                Some(format!("was answered with the status {status}"))
            }
            _ => {
                let asks = |field: &fyke_web::FormField| {
                    let is_ours = self.fields.iter().any(|own| own.name == field.name);
                    is_ours && field.kind == FormFieldKind::Password
                };
                let is_again =
                    forms(body, &answer.url).iter().any(|form| form.fields.iter().any(asks));
                is_again.then(|| "was answered with its form again".to_owned())
            }
        }
    }
}

/// Takes out of the headers of an answer what lets others in; what says so stays.
pub(super) fn leave_out(headers: &mut [(String, String)]) {
    const SECRET: [&str; 4] = ["set-cookie", "set-cookie2", "authorization", "authentication-info"];
    for (name, value) in headers {
        if SECRET.iter().any(|secret| name.eq_ignore_ascii_case(secret)) {
            LEFT_OUT.clone_into(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credentials::{LoginField, Secret};
    use crate::fetch::Blame;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a URL")
    }

    fn account() -> Accounts {
        let field = |name: &str, value: &str| {
            let value = Secret::new(value).expect("a secret");
            LoginField { name: name.to_owned(), value }
        };
        let (login, page) = (url("https://a.test/session"), url("https://a.test/login"));
        let fields = vec![field("user", "ann"), field("pass", "h&sh h")];
        let recipe = LoginRecipe { url: login, page, fields };
        let mut credentials = Credentials::default();
        credentials.add("a.test", HostAccount::Login(recipe));
        Accounts::new(&credentials)
    }

    fn answer(at: &str, status: u16, header: (&str, &str), body: &str) -> Capture {
        Capture {
            url: url(at),
            time: 1000,
            status,
            headers: vec![(header.0.to_owned(), header.1.to_owned())],
            payload: body.as_bytes().to_vec(),
            truncated: None,
        }
    }

    const FORM: &str = "<form method=post action=/session><input type=hidden name=csrf value=7>\
        <input name=user><input type=password name=pass></form>";

    /// Logs in, with this answer to the form; what is said of the page then.
    fn check(status: u16, header: (&str, &str), body: &str) -> Result<(), String> {
        let accounts = account();
        let page = url("https://a.test/x");
        let account = accounts.of(&page, &[], true).expect("an account");
        let first = account.first(&page, 5).expect("no refusal").expect("a request");
        assert_eq!((first.url.as_str(), &first.form), ("https://a.test/login", &None));
        let told = account.take(&first, &answer("https://a.test/login", 200, ("x", "y"), FORM));
        assert_eq!(told.blame, Blame::Connection);
        let second = account.first(&page, 6).expect("no refusal").expect("a request");
        assert_eq!(second.url.as_str(), "https://a.test/session");
        assert_eq!(second.form.as_deref(), Some("csrf=7&user=ann&pass=h%26sh+h"));
        let set = [("Set-Cookie".to_owned(), "s=1".to_owned())];
        account.cookies.keep(&second.url, &set, 6);
        account.take(&second, &answer("https://a.test/session", status, header, body));
        account.first(&page, 7).map(|next| assert!(next.is_none())).map_err(|e| e.detail)
    }

    #[test]
    fn a_login_is_a_page_then_a_form_then_nothing_more() {
        assert_eq!(check(302, ("Location", "/home"), ""), Ok(()));
        assert_eq!(check(200, ("x", "y"), "<p>Welcome"), Ok(()));
        let refused = |why: &str| Err(format!("the login at https://a.test/session {why}"));
        assert_eq!(check(302, ("Location", "/login?error=1"), ""), refused("led back to itself"));
        assert_eq!(check(200, ("x", "y"), FORM), refused("was answered with its form again"));
        assert_eq!(check(403, ("x", "y"), ""), refused("was answered with the status 403"));
    }

    #[test]
    fn an_account_is_shown_over_tls_or_on_this_machine_alone() {
        let (here, there) = ([([127, 0, 0, 1], 80).into()], [([10, 0, 0, 1], 80).into()]);
        let accounts = account();
        let is_shown = |at: &str, sockets: &[SocketAddr], proxied: bool| {
            accounts.of(&url(at), sockets, proxied).is_some()
        };
        assert!(
            is_shown("https://a.test/", &there, false) && is_shown("https://a.test/", &there, true)
        );
        assert!(!is_shown("http://a.test/", &here, false), "the login is by https");
        assert!(!is_shown("https://www.a.test/", &here, false));
        let mut credentials = Credentials::default();
        let header = Secret::new("Basic x").expect("a secret");
        credentials.add("a.test", HostAccount::Header(header));
        let accounts = Accounts::new(&credentials);
        let is_shown = |sockets: &[SocketAddr], proxied: bool| {
            accounts.of(&url("http://a.test/"), sockets, proxied).is_some()
        };
        assert!(is_shown(&here, false));
        assert!(!format!("{accounts:?}").contains("Basic"), "{accounts:?}");
        assert!(!is_shown(&there, false) && !is_shown(&here, true) && !is_shown(&[], false));
    }

    #[test]
    fn a_session_that_ends_is_begun_again_a_few_times() {
        let accounts = account();
        let page = url("https://a.test/x");
        let account = accounts.of(&page, &[], true).expect("an account");
        let mut logins = 0;
        while let Ok(Some(asked)) = account.first(&page, 5) {
            logins += 1;
            account.take(&asked, &answer("https://a.test/login", 200, ("x", "y"), FORM));
            let asked = account.first(&page, 5).expect("no refusal").expect("the form");
            account.cookies.keep(&asked.url, &[("Set-Cookie".to_owned(), "s=1".to_owned())], 5);
            account.take(&asked, &answer("https://a.test/session", 302, ("Location", "/"), ""));
            let ended = answer("https://a.test/x", 302, ("Location", "/login?next=/x"), "");
            assert_eq!(account.denial(&ended).map(|failed| failed.blame), Some(Blame::Connection));
        }
        assert_eq!(logins, MOST_LOGINS);
        let told = account.first(&page, 5).err().expect("a refusal");
        assert_eq!((told.reason, told.blame), (Reason::Credentials, Blame::Host));
    }

    #[test]
    fn a_host_that_asks_for_time_is_not_asked_to_log_in_before() {
        let accounts = account();
        let page = url("https://a.test/x");
        let account = accounts.of(&page, &[], true).expect("an account");
        let asked = account.first(&page, 5).expect("no refusal").expect("a request");
        account.take(&asked, &answer("https://a.test/login", 503, ("Retry-After", "2"), ""));
        assert!(account.first(&page, 2_999).is_err());
        assert!(account.first(&page, 3_000).expect("no refusal").is_some());
    }

    #[test]
    fn what_lets_others_in_is_left_out_of_headers() {
        let mut headers =
            vec![("Set-Cookie".to_owned(), "s=1".to_owned()), ("A".to_owned(), "b".to_owned())];
        leave_out(&mut headers);
        assert_eq!(headers[0].1, LEFT_OUT);
        assert_eq!(headers[1].1, "b");
    }
}
