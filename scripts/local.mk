# Set-up, job templates, plots.
