;;; agent-lsp.el --- agent-lsp beside other servers, by eglot  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))

;;; Commentary:

;; The smallest client there can be: eglot starts the server, mirrors the
;; buffers and applies the edits.  None of agent-lsp's own requests is offered
;; here; what each of them would add is told in the README beside this file.
;;
;;   (require 'agent-lsp)
;;   (agent-lsp-enable 'text-mode 'org-mode)
;;
;; and `M-x eglot' in a buffer.  eglot has one server for a mode, so name modes
;; that have no other.

;;; Code:

(require 'eglot)

(defgroup agent-lsp nil "The editor's view of the code for assistants." :group 'tools)

(defcustom agent-lsp-program "agent-lsp"
  "The program to start."
  :type 'string)

;; A class of its own, so that what follows is for this server alone.
(defclass agent-lsp-server (eglot-lsp-server) ()
  "The server of the editor's view.")

(defun agent-lsp-enable (&rest modes)
  "Have eglot start agent-lsp in buffers of MODES."
  (dolist (mode modes)
    (add-to-list 'eglot-server-programs
                 (cons mode (lambda (&rest _) (list 'agent-lsp-server agent-lsp-program "lsp"))))))

;; Assistants ask at any moment, and an edit has landed when the server sees
;; the text that it makes: changes must not wait until Emacs is idle.
(defun agent-lsp--tell ()
  "Send the changes that eglot holds back in the buffers of our server."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and (eglot-managed-p) (cl-typep (eglot-current-server) 'agent-lsp-server))
        (eglot--signal-textDocument/didChange)))))

(defun agent-lsp--changed (&rest _)
  "Send changes as soon as the command that made them has ended."
  (when (cl-typep (eglot-current-server) 'agent-lsp-server)
    (setq-local eglot-send-changes-idle-time 0)))

(add-hook 'eglot-managed-mode-hook #'agent-lsp--changed)

(cl-defmethod eglot-handle-request :after ((_ agent-lsp-server) (_ (eql workspace/applyEdit)) &key &allow-other-keys)
  "Tell of the edit before it is answered."
  (agent-lsp--tell))

(defun agent-lsp-call (tool &rest arguments)
  "Call TOOL with ARGUMENTS, a property list, and return its result.
The result is a property list, see the tools' documentation.  What a
tool cannot do is an error."
  (agent-lsp--tell)
  (let* ((result (jsonrpc-request
                  (eglot--current-server-or-lose) :workspace/executeCommand
                  (list :command "agent-lsp.call"
                        :arguments (vector (list :name tool :arguments (or arguments eglot--{}))))
                  :timeout 30))
         (structured (plist-get result :structuredContent)))
    (when (eq t (plist-get result :isError))
      (let ((failure (plist-get structured :error)))
        (error "%s: %s" (plist-get failure :kind) (plist-get failure :message))))
    structured))

(provide 'agent-lsp)
;;; agent-lsp.el ends here
