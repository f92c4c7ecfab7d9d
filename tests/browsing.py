"""What tests in a browser have in common; they need Chromium, chromedriver and selenium."""

import shutil
from pathlib import Path

import pytest

webdriver = pytest.importorskip("selenium.webdriver", exc_type=ImportError)
WebDriverWait = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if not (CHROMIUM and DRIVER):
    pytest.skip("needs chromium and chromedriver", allow_module_level=True)

FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    "--host-resolver-rules=MAP evil.example 127.0.0.1",  # a site that pretends to be us
    *("--no-first-run", "--disable-component-update", "--disable-sync", "--hide-scrollbars"),
)
WIDE, PHONE = (1280, 900), (360, 740)

# For every element with its own text: the WCAG 2 contrast between its colour and the background.
CONTRASTS = """
const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
const luminance = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map((part) => part / 255)
    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const [r, g, b, opacity = 1] = channels(getComputedStyle(at).backgroundColor);
    if (opacity === 1) return [r, g, b];
    if (opacity !== 0) throw new Error("a background must be opaque or transparent");
  }
  return [255, 255, 255];
};
const ratio = (front, back) => {
  const [low, high] = [luminance(front), luminance(back)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
const found = [];
for (const element of document.body.querySelectorAll("*:not(script):not(svg):not(svg *)")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!own) continue;
  const style = getComputedStyle(element);
  found.push([ratio(channels(style.color), behind(element)), element.tagName, element.className]);
  if (element.matches(".term")) {
    const tip = getComputedStyle(element, "::after");
    found.push([ratio(channels(tip.color), channels(tip.backgroundColor)), "tip", ""]);
  }
}
return found;
"""


def started(profile):
    """Return a browser with this folder for its profile."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))


def opened(browser, path, size=WIDE, scheme="light", media="screen"):
    width, height = size
    view = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    scheme = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", view)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [scheme]})
    browser.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
    for kind in ("browser", "performance"):
        browser.get_log(kind)  # reading a log clears it
    browser.get("about:blank")  # so that the same page is loaded again
    browser.get(Path(path).as_uri())
    # The driver may return a moment before it has switched to the new page.
    WebDriverWait(browser, 10).until(
        lambda _: browser.find_elements("css selector", "main section"),
        "the page did not open",
    )
