"""A Scrapy spider of a few lines, for run.py: one site, robots.txt obeyed, every link followed, no delay.

Nothing is stored. Run as: python scrapy_peer.py URL CONCURRENCY
"""

import sys

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor


class Site(scrapy.Spider):
    name = "site"
    links = LinkExtractor()

    def __init__(self, url):
        super().__init__()
        self.start_urls = [url]
        self.allowed_domains = ["127.0.0.1"]

    def parse(self, response):
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url)


def main():
    url, concurrency = sys.argv[1], int(sys.argv[2])
    process = CrawlerProcess(
        {
            "ROBOTSTXT_OBEY": True,
            "CONCURRENT_REQUESTS": concurrency,
            "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
            "DOWNLOAD_DELAY": 0,
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
            "USER_AGENT": "scrapy-peer",
        }
    )
    process.crawl(Site, url=url)
    process.start()


if __name__ == "__main__":
    main()
