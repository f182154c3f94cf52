"""Pictures of positions, policies and curves as HTML with inline SVG, for notebooks: no scripts, everything escaped."""
