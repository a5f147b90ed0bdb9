"""What the command line says of input that it cannot use."""

import click


class WrongUsage(click.ClickException):
    """One sentence on stderr and exit code 2."""

    exit_code = 2

    def show(self, file: object = None) -> None:  # noqa: ARG002 the signature is click's
        """As every other message of the program."""
        click.echo(f"fundstelle: {self.message}", err=True)
