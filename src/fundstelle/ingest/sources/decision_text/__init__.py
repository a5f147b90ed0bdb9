"""The words of a decision out of HTML, XML, prints and plain text; what all adapters share."""
