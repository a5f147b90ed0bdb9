"""Of a browser's cookies ours are read, however many others there are and whatever they hold."""

import pytest

from fundstelle.portal.frame.cookies import device_cookie, keep_ours, session_cookie


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (b"sid=abc", b"sid=abc"),
        (b"a=b; sid=abc; c=d", b"sid=abc"),
        (b"a=b;sid=a_b-c.d~e;language=de", b"sid=a_b-c.d~e; language=de"),
        (b"__Host-sid=x; __Host-device=y.z", b"__Host-sid=x; __Host-device=y.z"),
        (b"sid=one; sid=two", b"sid=one; sid=two"),
        (b"xsid=abc; sid2=abc; Sid=abc", b""),
        (b'sid="abc"; device=a\\b', b""),
        (b"sid=; language", b""),
        (b'a="' + b"\\\\" * 30_000 + b'"; sid=abc', b"sid=abc"),
        (b"a=b;" * 15_000 + b"sid=abc", b"sid=abc"),
        (b"sid=abc;" * 7_000, b"; ".join([b"sid=abc"] * 8)),
    ],
    ids=lambda value: str(value[:30]),
)
def test_only_what_could_be_ours_is_handed_on(sent: bytes, kept: bytes) -> None:
    others = [(b"host", b"a"), (b"accept", b"*/*")]
    assert keep_ours([*others, (b"cookie", sent)]) == [*others, (b"cookie", kept)]


@pytest.mark.parametrize("secure", [True, False])
def test_our_own_names_are_kept(secure: bool) -> None:
    for name in (session_cookie(secure=secure), device_cookie(secure=secure)):
        header = (b"cookie", f"{name}=v".encode())
        assert keep_ours([header]) == [header]
