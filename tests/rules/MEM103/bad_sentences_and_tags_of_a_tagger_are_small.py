# what a tagger decodes are texts, or small tensors: advice

import torch
from readers import Loader, move_to_device
from taggers import load

model = load("model.tar.gz").cuda()
model.eval()
tags, sentences = [], []
with torch.no_grad():
    for batch in Loader("validation"):
        batch = move_to_device(batch, 0)
        predictions = model.decode(model(**batch))
        tags.extend(predictions["tags"])  #! MEM103 advice
        sentences.append(predictions["sentence"])  #! MEM103 advice
