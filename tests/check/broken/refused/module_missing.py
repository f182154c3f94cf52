"""It imports a module that there is not."""

import no_such_module_anywhere  # noqa: F401
