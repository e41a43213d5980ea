# claim: STATIC, expected: confirmed (the line raises TypeError)
# needs: lightning
import lightning

trainer = lightning.Trainer(max_epochs=1, gpus=1)
