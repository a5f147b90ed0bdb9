"""What stands around a provision, and how its text changed."""
