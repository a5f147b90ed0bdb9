"""From a written reference to laws and numbers of the corpus."""
