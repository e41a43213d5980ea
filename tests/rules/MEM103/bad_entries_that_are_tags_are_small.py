# tags and words of a result are small, if they are tensors at all; its logits are not

import torch
from readers import Loader, move_to_device
from taggers import load

model = load("model.tar.gz").cuda()
model.eval()
found, kept = [], []
with torch.no_grad():
    for batch in Loader("validation"):
        batch = move_to_device(batch, 0)
        predictions = model.decode(model(**batch))
        found.extend(predictions["tags"])
        kept.append(predictions["logits"])  #! MEM103 warning
