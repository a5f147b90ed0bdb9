"""Every way of writing a citation, on real federal law."""
