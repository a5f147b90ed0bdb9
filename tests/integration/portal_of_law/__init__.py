"""The portal's pages of the law."""
