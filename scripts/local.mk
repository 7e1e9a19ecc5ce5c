# Set-up, job templates, plots.
EXTRA_DIST += scripts/setup
slurm_templates = scripts/slurm/pario.sbatch scripts/slurm/pario-mpirun.sbatch scripts/slurm/pario-array.sbatch \
	scripts/slurm/pario-limit.sbatch
EXTRA_DIST += $(slurm_templates)
