"""``/llms.txt``: what a model may know that comes across this server. Source: llmstxt.org."""

from fundstelle.clients.target import Target

_TEXT = """\
# Fundstelle

> Verified, citable German and EU law: statutes, EU acts and court decisions in the exact official \
text, each with its Stand, its source and a permanent address. What is not held is said to be so; \
nothing is guessed.

To quote or to rely on a provision, look it up here and give its citation with the address. A \
missing text is no evidence that there is no such law: read why it is missing. This is no legal \
advice.

## For programs

- [MCP]({url}): eight read-only tools by Streamable HTTP; sign in by OAuth, or send an API key
- [MCP for ChatGPT]({url}/chatgpt): the two tools search and fetch
- [How to connect a client]({base_url}/connect): one page each, with what it reads
- [Sign-in]({base_url}/.well-known/oauth-protected-resource/mcp): the metadata of RFC 9728

## Pages

- [Search]({base_url}/search?q=Kaufvertrag): `/search?q=…`, a question, keywords or a citation
- [A provision]({base_url}/n/de/bgb/823): `/n/de/bgb/823`; `#abs-1` is its first Absatz, \
`?as_of=2020-01-01` the text of that day
- A decision: `/d/ECLI:…`; `#rn-12` is its marginal number 12
- [Check a draft]({base_url}/check): a verdict on every citation and quotation that is pasted there
"""


def write_llms_text(target: Target) -> str:
    """The text for one server."""
    return _TEXT.format(url=target.url, base_url=target.base_url)
