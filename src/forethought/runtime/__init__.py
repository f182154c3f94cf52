"""Where work runs: tasks on jobs, in threads of this process, or wherever another executor takes them."""
