"""Understanding a training script: names, values, roles. The only part that reads the syntax tree."""
