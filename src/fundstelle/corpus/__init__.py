"""What we hold: builds of statutes, norms, their text and the references between them."""
