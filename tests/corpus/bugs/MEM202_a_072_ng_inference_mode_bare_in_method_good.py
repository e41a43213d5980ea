import torch
from sklearn.metrics import accuracy_score


class TextClassifier:
    def __init__(self, net, tokenizer, device="cpu"):
        self.net = net.to(device)
        self.tokenizer = tokenizer
        self.device = device

    def evaluate(self, dataloader):
        self.net.eval()
        preds, golds = [], []
        with torch.inference_mode():
            for batch in dataloader:
                enc = self.tokenizer(batch["text"], padding=True, truncation=True, return_tensors="pt").to(self.device)
                logits = self.net(**enc).logits
                preds += logits.argmax(-1).tolist()
                golds += batch["label"].tolist()
        return accuracy_score(golds, preds)
