"""Words: stems, compounds, English terms, and the passage that fits them."""
