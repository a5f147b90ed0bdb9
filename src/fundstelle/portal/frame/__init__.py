"""What every page stands in: routes and rights, the visit, forms, cookies, words."""
