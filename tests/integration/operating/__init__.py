"""Backups, disks, room, files to deploy by: what an operator relies on."""
