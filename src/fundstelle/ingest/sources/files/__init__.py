"""Files as they come: folders, archives, downloads, and how far they may unfold."""
