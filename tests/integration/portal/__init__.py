"""The portal's pages for people and admins, as a browser without script sees them."""
