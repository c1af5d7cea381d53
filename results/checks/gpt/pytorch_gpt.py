"""The character model of 10.7 million parameters in PyTorch: 500 updates, then the loss on all held-out windows.

torch_full.py DATA.h5 SEED BATCH UPDATES OUT.csv
"""
import csv, sys, time
import h5py, numpy as np, torch
from torch import nn
from torch.nn import functional as F

path, seed, batch, updates, out = sys.argv[1], *map(int, sys.argv[2:5]), sys.argv[5]
torch.set_num_threads(1)
torch.manual_seed(seed)
L, H, C, T = 6, 6, 384, 256
with h5py.File(path) as f:
    train = torch.tensor(np.array(f["tokens"]).astype(np.int64))
    test = torch.tensor(np.array(f["test_tokens"]).astype(np.int64))
    V = len(f["characters"])


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(C), nn.LayerNorm(C)
        self.qkv, self.project = nn.Linear(C, 3 * C), nn.Linear(C, C)
        self.expand, self.contract = nn.Linear(C, 4 * C), nn.Linear(4 * C, C)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (z.view(b, t, H, C // H).transpose(1, 2) for z in self.qkv(self.n1(x)).split(C, 2))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, C)
        x = x + self.project(a)
        return x + self.contract(F.gelu(self.expand(self.n2(x))))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.token, self.position = nn.Embedding(V, C), nn.Embedding(T, C)
        self.blocks, self.norm = nn.ModuleList(Block() for _ in range(L)), nn.LayerNorm(C)
        for name, p in self.named_parameters():
            if p.dim() > 1:
                last = "project" in name or "contract" in name
                nn.init.normal_(p, std=0.02 / (2 * L) ** 0.5 if last else 0.02)
            elif name.endswith("bias"):
                nn.init.zeros_(p)

    def forward(self, x, y):
        x = self.token(x) + self.position.weight[: x.shape[1]]
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(F.linear(self.norm(x), self.token.weight).view(-1, V), y.reshape(-1))


net = Gpt()
print(sum(p.numel() for p in net.parameters()), "parameters", flush=True)
matrices = [p for p in net.parameters() if p.dim() > 1]
vectors = [p for p in net.parameters() if p.dim() == 1]
optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}],
                              lr=1e-3, betas=(0.9, 0.99), eps=1e-8)
step = torch.compile(net) if len(sys.argv) > 6 else net


def held_out():
    n = (len(test) - 1) // T
    with torch.no_grad():
        return sum(net(test[k * T:(k + 1) * T][None], test[k * T + 1:(k + 1) * T + 1][None]).item() for k in range(n)) / n


with open(out, "w", newline="") as f:
    table, start = csv.writer(f, lineterminator="\n"), time.process_time()
    table.writerow(["seed", "update", "measure", "value"])
    for update in range(1, updates + 1):
        at = torch.randint(0, len(train) - T, (batch,))
        w = torch.stack([train[i:i + T + 1] for i in at])
        optimizer.zero_grad()
        loss = step(w[:, :-1].contiguous(), w[:, 1:].contiguous())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        table.writerow([seed, update, "train_loss", f"{loss.item():.7g}"])
        if update % 20 == 0:
            print(update, loss.item(), time.process_time() - start, flush=True)
        if update % 100 == 0:
            value = held_out()
            table.writerow([seed, update, "held_out_loss", f"{value:.7g}"])
            f.flush()
            print(update, "held out", value, flush=True)
    table.writerow([seed, updates, "cpu_seconds", f"{time.process_time() - start:.1f}"])
