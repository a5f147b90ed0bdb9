"""EU acts and CJEU case law, in every form the publishers give them."""
