import numpy as np
import torch
from torch.utils.data import DataLoader, SequentialSampler
from transformers import BertForSequenceClassification


class SentimentPredictor:
    def __init__(self, path: str, device: str = "cuda"):
        self.model = BertForSequenceClassification.from_pretrained(path)
        self.model.to(device)
        self.model.eval()
        self.device = device

    def predict(self, dataset, batch_size: int = 32) -> np.ndarray:
        loader = DataLoader(dataset, sampler=SequentialSampler(dataset), batch_size=batch_size, num_workers=2)
        preds = None
        for batch in loader:
            batch = tuple(t.to(self.device) for t in batch)
            with torch.no_grad():
                logits = self.model(input_ids=batch[0], attention_mask=batch[1])[0]
            if preds is None:
                preds = logits.detach().cpu().numpy()
            else:
                preds = np.append(preds, logits.detach().cpu().numpy(), axis=0)
        return np.argmax(preds, axis=1)
