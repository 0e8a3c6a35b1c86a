//! `[fetch] render`: the browser that runs the scripts of pages.

use super::keys::FetchKeys;
use super::parse_address;
use fyke_crawl::RenderOptions;

impl FetchKeys {
    /// How pages are rendered; none: they are not.
    ///
    /// # Errors
    /// When the browser's address cannot be read, in words.
    pub fn rendering(&self) -> Result<Option<RenderOptions>, String> {
        let written = self.render.trim();
        if matches!(written, "off" | "") {
            return Ok(None);
        }
        let address = written.strip_prefix("http://").map(|rest| rest.trim_end_matches('/'));
        let address = address.and_then(|address| parse_address(address).ok());
        let browser = address.ok_or_else(|| {
            format!(
                "{written:?} is neither \"off\" nor where a Chromium listens that was started with \
                 --remote-debugging-port, such as \"http://127.0.0.1:9222\""
            )
        })?;
        Ok(Some(RenderOptions {
            browser: browser.to_string(),
            hosts: self.render_hosts.clone(),
            part_hosts: self.render_parts.clone(),
            time: self.render_time,
            requests: self.render_requests,
            at_once: self.render_at_once,
            max_bytes: usize::try_from(self.max_bytes).unwrap_or(usize::MAX),
        }))
    }
}
