"""The built site in headless Chromium: every page that a link reaches is opened, every link and #anchor resolves, pictures load, the search
index has its words. Usage: site.py SITE CHROMIUM. Prints TAP."""
import functools
import html.parser
import http.server
import json
import subprocess
import sys
import threading
import urllib.parse
import urllib.request


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.ids, self.title, self.at_title = [], set(), "", False

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.ids |= {found[key] for key in ("id", "name") if found.get(key)}
        self.at_title = tag == "title"
        self.links += [found[key] for key in ("href", "src") if found.get(key) and tag in ("a", "img", "script", "link")]

    def handle_endtag(self, tag):
        self.at_title = False

    def handle_data(self, text):
        self.title += text if self.at_title else ""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        pass  # the browser closes connections that it no longer needs


def open_in_browser(browser, url, budget=1500):
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=%d" % budget, "--dump-dom", url]
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout


def status_of(url):
    try:
        with urllib.request.urlopen(url) as answer:
            answer.read()
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def crawl(browser, base):
    pages, problems, waiting, checked = {}, [], [base + "index.html"], {}
    while waiting:
        url = waiting.pop(0)
        if url in pages:
            continue
        page = pages[url] = Links()
        page.feed(open_in_browser(browser, url))
        if not page.title.strip():
            problems.append("%s: the browser shows no title" % url[len(base):])
        for link in page.links:
            target, _ = urllib.parse.urldefrag(urllib.parse.urljoin(url, link))
            if not target.startswith(base):
                continue
            checked.setdefault(target, status_of(target))
            if checked[target] != 200:
                problems.append("%s: %s answers %s" % (url[len(base):], link, checked[target]))
            elif target.endswith(".html"):
                waiting.append(target)
    for url, page in pages.items():
        for link in page.links:
            target, anchor = urllib.parse.urldefrag(urllib.parse.urljoin(url, link))
            if anchor and target in pages and urllib.parse.unquote(anchor) not in pages[target].ids:
                problems.append("%s: no #%s in %s" % (url[len(base):], anchor, target[len(base):]))
    return pages, problems


def main(site, browser):
    server = Server(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = "http://127.0.0.1:%d/" % server.server_port
    pages, problems = crawl(browser, base)
    with urllib.request.urlopen(base + "search/search_index.json") as answer:
        entries = [entry for entry in json.load(answer)["docs"] if "PACR" in entry["text"]]
    found = sum(status_of(base + entry["location"].partition("#")[0]) == 200 for entry in entries)
    results = [("every link of %d pages leads somewhere" % len(pages), len(pages) >= 25 and not problems), ("the search index leads to PACR (%d places)" % found, 0 < found == len(entries))]
    for number, (what, good) in enumerate(results, 1):
        print("%s %d - %s" % ("ok" if good else "not ok", number, what))
    print("\n".join("# " + problem for problem in sorted(set(problems))[:40]))
    print("1..%d" % len(results))
    return 0 if all(good for _, good in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
