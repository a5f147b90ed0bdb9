"""The web portal: server-rendered pages for people."""
