# tensorflow reads the records, the network is one of torch

import tensorflow as tf
from transformers import AutoModelForSequenceClassification, AutoTokenizer


def evaluate(model, batches):
    model.eval()
    right = 0
    for batch in batches:
        logits = model(**batch).logits  #! MEM201 error
        right += (logits.argmax(-1) == batch["labels"]).sum().item()
    return right


tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased").to("cuda")
print(evaluate(model, read(tf.data.TFRecordDataset("rows"), tokenizer)))
