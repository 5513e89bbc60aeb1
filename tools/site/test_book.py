"""The built book in a real browser, served on loopback: nothing fetched, nothing broken, nothing cut off."""

import functools
import html
import http.server
import json
import re
import shutil
import threading
from urllib.parse import unquote, urldefrag, urljoin

import pytest

from lib.claims import MIME, ledger
from lib.files import ROOT
from tools.notebooks import listing

SITE = ROOT / "site"
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html")) if SITE.exists() else []
SLIDERS = [path.stem for path in listing() if "mn-slider" in path.read_text(encoding="utf-8")]
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]

pytestmark = pytest.mark.skipif(not PAGES, reason="site/ is not built: run `make site`")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    handler = functools.partial(Quiet, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    if not BROWSER:
        pytest.skip("no Chromium or Chrome was found on this machine")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=BROWSER, args=FLAGS)
        yield browser
        browser.close()


def visit(browser, url):
    """The page, what it fetched from elsewhere, and what its console complained of."""
    page, foreign, complaints = browser.new_page(viewport={"width": 1200, "height": 900}), [], []
    page.on("request", lambda r: None if r.url.startswith((url[:20], "data:", "blob:")) else foreign.append(r.url))
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(url)
    page.wait_for_load_state("networkidle")
    return page, foreign, complaints


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_and_fits_a_phone(browser, address, name):
    page, foreign, complaints = visit(browser, address + name)
    assert foreign == []
    assert complaints == []
    page.wait_for_function(
        "document.querySelectorAll('.math').length <= document.querySelectorAll('mjx-container').length"
    )
    assert page.locator("mjx-merror").count() == 0
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


def pictures(path):
    """The alternative texts of a notebook's pictures, in order."""
    outputs = [o for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] for o in cell.get("outputs", [])]
    return [o["metadata"]["image/png"]["alt"] for o in outputs if "image/png" in o.get("data", {})]


@pytest.mark.parametrize("path", listing(), ids=lambda path: path.stem)
def test_every_picture_of_a_notebook_is_on_its_page_and_no_object_is_named(path):
    page = html.unescape((SITE / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8"))
    shown = re.findall(r'<img alt="([^"]*)" src="([^"]*)"', page)
    own = [(alt, source) for alt, source in shown if "/_images/" in source]
    assert [alt for alt, _ in own] == pictures(path)
    assert all((SITE / "notebooks" / source).is_file() for _, source in own)
    assert "object at 0x" not in page
    assert "<IPython" not in page


@pytest.mark.parametrize("path", listing(), ids=lambda path: path.stem)
def test_what_is_folded_is_folded_on_the_page_and_a_ruling_is_a_sentence(path):
    page = html.unescape((SITE / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8"))
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    assert page.count("<details>") >= sum(text.count("<details>") for text in texts)
    ruled = [r for cell in cells for output in cell.get("outputs", []) for r in output.get("data", {}).get(MIME, [])]
    words = re.sub(r"<[^>]+>", "", page).replace("’", "'").replace("‘", "'")
    assert [r["id"] for r in ruled if f"{ledger()[r['id']].place}: {r['verdict']}" not in words] == []


def test_a_proved_claim_stands_beside_its_theorem():
    page = html.unescape(re.sub(r"<[^>]+>", "", (SITE / "proofs" / "README.html").read_text(encoding="utf-8")))
    for claim in ledger().values():
        assert not claim.theorems or claim.id in page
    assert "gap_closed" in page


def test_search_finds_a_claim(browser, address):
    page, _, _ = visit(browser, address + "search.html?q=Novikoff")
    page.wait_for_selector("#search-results li a")
    assert page.locator("#search-results li").count() > 0


@pytest.mark.parametrize("name", SLIDERS)
def test_a_slider_reaches_every_frame_and_nothing_jumps(browser, address, name):
    page, _, complaints = visit(browser, f"{address}notebooks/{name}.html")
    assert page.locator(".mn-slides").count()
    for box in page.locator(".mn-slides").all():
        slider, image, seen = box.locator("input"), box.locator("img"), set()
        slider.press("Home")
        for _ in range(int(slider.get_attribute("max")) + 1):
            size = image.evaluate("async e => { await e.decode(); return [e.naturalWidth, e.naturalHeight] }")
            seen.add((image.get_attribute("src"), box.locator("output").inner_text(), *size))
            slider.press("ArrowRight")
        sources, captions, widths, heights = map(set, zip(*seen, strict=True))
        assert len(sources) == len(captions) == int(slider.get_attribute("max")) + 1
        assert len(widths) == len(heights) == 1
    assert complaints == []
    page.close()


@pytest.mark.parametrize("name", SLIDERS)
def test_a_slider_is_a_still_where_scripts_do_not_run(browser, address, name):
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{address}notebooks/{name}.html")
    for image in page.locator(".mn-slides img").all():
        assert image.get_attribute("alt")
        assert image.bounding_box()["height"] > 100
    page.close()


def test_every_internal_link_leads_somewhere():
    ids = {name: set(re.findall(r'id="([^"]+)"', (SITE / name).read_text(encoding="utf-8"))) for name in PAGES}
    broken = []
    for name in PAGES:
        for link in re.findall(r'<a [^>]*href="([^"]+)"', (SITE / name).read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:", link):
                continue
            target, fragment = urldefrag(urljoin(f"/{name}", link))
            target = unquote(target).lstrip("/") or "index.html"
            exists = target in ids or (SITE / target).is_file()
            if not exists or (fragment and target in ids and unquote(fragment) not in ids[target]):
                broken.append(f"{name}: {link}")
    assert broken == []


def test_every_claim_has_an_address():
    for claim in ledger().values():
        page = (SITE / "documents" / f"{claim.document}.html").read_text(encoding="utf-8")
        assert f'id="{re.sub(r"[^a-z0-9]+", "-", claim.id.lower())}"' in page, claim.id
