"""From publishers to corpus builds."""
